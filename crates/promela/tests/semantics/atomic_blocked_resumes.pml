/* expect: holds; states: 14; transitions: 19 */
/* A process that blocks inside an atomic loses atomicity; that state is
   stored. When the guard becomes true the rest is atomic again, so Q can
   never see x == 2. */
byte x, go;
active proctype P() { atomic { x = 1; go > 0; x = 2; x = 3 } }
active proctype Q() { assert(x != 2); go = 1; assert(x != 2) }
