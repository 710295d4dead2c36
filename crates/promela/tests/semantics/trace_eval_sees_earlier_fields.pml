/* expect: holds; states: 4; transitions: 3 */
byte g;
chan c = [2] of { byte, byte };
trace { do :: c?eval(g),_ :: c!_,7 od }
init { c!4,7; c?g,_ }
