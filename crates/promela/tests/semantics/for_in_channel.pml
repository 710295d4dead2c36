/* expect: holds; states: 20; transitions: 19 */
/* for (m in c) receives and sends back each message; a hidden counter of the
   process counts them, and stays part of the state. */
typedef Msg { byte v; byte w }
chan c = [3] of { Msg };
byte s;
active proctype P() { Msg m; m.v = 1; m.w = 2; c!m; m.v = 3; c!m; for (m in c) { s = s + m.v } assert(len(c) == 2) }
