/* expect: holds; states: 11; transitions: 13 */
/* eval of a variable of the receiver is a pattern, not a target. */
chan c = [0] of { byte, byte };
byte r;
active proctype P() { c!2,7; c!3,8 }
active [2] proctype Q() { byte v; c?eval(_pid + 1),v; r = r + v }
