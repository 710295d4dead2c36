/* expect: holds; states: 14; transitions: 17 */
/* mtype constants in guards, messages, parameters, arrays. */
mtype = { idle, busy, done };
mtype s[2]; chan c = [1] of { mtype };
proctype C(mtype m) { c!m }
init { s[0] = idle; run C(busy); c?s[1]; do :: s[1] == busy -> s[1] = done :: s[1] == done -> break :: s[1] == idle -> assert(false) od }
