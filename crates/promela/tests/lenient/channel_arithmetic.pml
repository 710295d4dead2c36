/* expect: accepted */
/* Why: no arithmetic with channel names. */
chan a = [1] of { byte };
byte r;
active proctype P() { r = a * 10 }
