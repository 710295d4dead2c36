/* expect: holds; states: 168; transitions: 568; depth: 13 */
mtype = { m1, m2, m3 };
byte g0;
unsigned g1 : 2;
byte g2;
chan b0 = [3] of { bool };
chan ca[2] = [1] of { bool, mtype };
chan mob = [1] of { byte, bit };
chan mob2 = [1] of { byte, bit };
chan carry = [0] of { chan };
active proctype P0() {
  unsigned l3 : 2 = 3;
  chan lc4 = [0] of { mtype, bool };
  end: do
  :: skip;
  skip;
  printf("x%d\n", (g1 + m3))
  od
}
active proctype P1() {
  bool l5;
  bit l6;
  chan rc7;
  rc7 = mob2;
  end: do
  :: skip;
  l5 = false;
  skip
  od
}
active proctype P2() {
  bit l8;
  chan rc9;
  rc9 = mob;
  accept1: skip;
  if
    :: rc9?3,l8 -> printf("a");
    g0 = (g2) & 3
    :: mob!3,_nr_pr -> skip;
    if
      :: mob2!2,(l8 - g2) -> rc9!1,(3 >> 1)
      :: mob2??<3,1> -> mob2!(l8 | 3),0;
      g1++; skip
    fi; skip
  fi
}
init {
  chan ic = [1] of { byte, bit };
  atomic {
    skip
  }
}
