/* expect: holds; states: 3; transitions: 2 */
chan c = [1] of { byte };
active proctype S() { skip; { end: do :: c?_ -> skip :: break od }; false }
