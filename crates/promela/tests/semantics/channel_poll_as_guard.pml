/* expect: violated deadlock; states: 31; transitions: 47; errors: 2 */
/* A poll in a guard does not protect from a receive by another process. */
chan c = [1] of { byte };
byte r;
active [2] proctype P() { if :: c?[1] -> c?1; r++ :: r == 1 fi }
active proctype Q() { c!1 }
