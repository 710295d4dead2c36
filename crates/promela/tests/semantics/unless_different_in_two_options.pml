/* expect: holds; states: 11; transitions: 12 */
byte x, y, z;
active proctype P() { do :: { x < 2; x++ } unless { y == 0; y = 1 } :: { x > 0; x-- } unless { z == 0; z = 1 } od }
