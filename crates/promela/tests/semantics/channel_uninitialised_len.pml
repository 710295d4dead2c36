/* expect: violated channel */
/* len of a channel variable that was never given a channel. */
chan c;
byte r;
active proctype P() { r = len(c) }
