/* expect: violated deadlock; states: 9740; transitions: 33173; errors: 11; depth: 222 */
/* Why: a value received into a variable that is too small for it: taking the step back, SPIN puts what was stored into the channel. */
mtype = { m1, m2, m3 };
byte g0;
bool g1;
byte ga2[4];
hidden byte hid;
typedef TA { byte a[2]; bit b; bool c };
typedef TB { TA t[2]; mtype m; bit z[2] };
TA gs[2];
chan rv = [0] of { short };
chan b0 = [2] of { bool, byte, bit };
chan b1 = [2] of { short, byte };
chan ca[2] = [1] of { bit };
inline in0(p0, p1) {
  {
    g0 = 0;
    end1: g1 = (g1 -> ga2[((gs[(255) & 1].c - g0)) & 3] : (m1 / 3))
  };
  if :: (p0) -> skip :: else -> g0 = p0 & 1 fi
}
active [2] proctype P1() {
  unsigned l5 : 2 = 3;
  mtype la6[2];
  againP1:
  b1?_,g0;
  byte d7 = 0;
  hid = (l5 * 2);
  do
    :: (!((d7 > 3)) && nfull(b1)) -> {
      (g0 == 0);
      b1??_,3
    }; skip
    :: else -> (m3)
  od;
  goto againP1
}
active proctype P2() {
  int l8;
  do
    :: b1!2,(ga2[3] == 1) -> if
      :: (l8 != 0) -> l8 = 2;
      (((ga2[1] > 1) + (l8 > 0)))
      :: ca[(g1) & 1]??l8 -> b1?l8,gs[0].a[0];
      L2: hid = l8
      :: ca[((l8 ^ l8)) & 1]??gs[1].c -> goto L3
    fi;
    (l8 <= 3)
  od;
  short d9 = 1;
  if
    :: else -> select (g0 : 1 .. 2)
    :: full(ca[g1])
    :: (d9 <= 1) -> l8 = (d9) & 3; goto L2
    :: gs[1].c-- -> ca[1]??d9
  fi;
  L3: rv?d9;
  ga2[g1] = 3;
  b1!(d9 + g0),_pid;
  select (g0 : 1 .. 1)
}
active proctype P0() {
  mtype l3;
  againP0:
  ca[g1]!_pid;
  l3 = m1;
  bit d4 = 1;
  skip;
  goto againP0
}
active proctype P3() {
  unsigned l10 : 2;
  byte l11;
  againP3:
  rv?_;
  skip;
  byte d12;
  ga2[g1] = (g1) & 3;
  select (d12 : 0 .. 1);
  goto againP3
}
