/* expect: violated event; states: 4; transitions: 3; errors: 1 */
byte g;
chan c = [2] of { byte, byte };
trace { do :: c?_,eval(g) :: c!_,7 od }
init { c!4,7; c?_,g }
