/* expect: holds; states: 7; transitions: 6 */
/* true, false and character constants are patterns, too. */
chan c = [3] of { bool, byte };
byte r;
active proctype P() { c!true,1; c!false,'x'; c?true,r; c?false,'x'; r = 7 }
