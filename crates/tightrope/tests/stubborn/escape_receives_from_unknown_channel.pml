/* Which channel the escape receives from is known only at run time; while it can, the condition is barred. */
chan c[2] = [1] of { byte };
bit b;
byte x;
proctype P0() { byte l; c[0] ? l }
proctype P1() {
  byte l;
  { (_pid > 0); assert(x == 1) } unless { c[b] ? <l>; skip }
}
proctype P2() { x = 1 }
init { c[0] ! 0; atomic { run P0(); run P1(); run P2() } }
