/* expect: holds; states: 4; transitions: 3 */
byte x, n = 2;
active proctype P() { d_step { skip; select (x : 0 .. n) }; assert(x == 0) }
