/* expect: violated channel */
/* Receiving from a channel variable that was never given a channel. */
chan c;
byte r;
active proctype P() { r = 1; c?r }
