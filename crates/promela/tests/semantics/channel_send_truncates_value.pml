/* expect: holds; states: 14; transitions: 13 */
/* A value is cut to the type of the channel's field when it is sent. */
chan c = [1] of { byte }; chan d = [1] of { bit, mtype, pid }; chan e = [1] of { short };
int r, s, t;
active proctype P() { c!300; c?r; assert(r == 44); d!2,300,301; d?r,s,t; assert(r == 0 && s == 44 && t == 45); e!65536; e?r; assert(r == 0); c!-1; c?r; assert(r == 255) }
