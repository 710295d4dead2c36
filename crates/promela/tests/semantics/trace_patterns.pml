/* expect: violated event; states: 9; transitions: 8; errors: 1 */
mtype = { A, B };
byte g; byte arr[3];
chan c = [2] of { byte, mtype };
trace { do :: c!g,A :: c!_,B :: c?arr[1],A :: c?eval(g),B od }
init { g = 1; c!0,A; c!5,B; c?_,_; if :: c?g,B :: c?_,B fi }
