/* expect: holds; states: 8; transitions: 7 */
/* A channel with one field of type bit or bool keeps eight bits of it. */
chan c = [1] of { bit }; chan d = [1] of { bool };
int r;
active proctype P() { c!2; c?r; assert(r == 2); d!258; d?r; assert(r == 2) }
