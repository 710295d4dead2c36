/* expect: holds; states: 78; transitions: 129 */
/* Fields of types chan, pid and mtype. */
mtype = { hello };
chan reg = [1] of { mtype, pid, chan };
byte r;
active [2] proctype P() { chan me = [1] of { pid }; reg!hello,_pid,me; me?r }
active proctype S() { pid p; chan to; byte n; do :: n < 2 -> reg?hello,p,to; to!p; n++ :: n == 2 -> break od }
