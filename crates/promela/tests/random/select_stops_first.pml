/* expect: violated deadlock; states: 483; transitions: 760; errors: 36; depth: 16 */
mtype = { m1, m2, m3 };
byte g0;
hidden byte hid;
chan rv = [0] of { byte };
inline in0(p0, p1) {
  p1 = (((p1 == 1) || (p1 < 2))) & 3;
  select (p1 : 0 .. 1);
  if :: (p0) -> skip :: else -> g0 = p0 & 1 fi
}
active proctype P0() provided ((g0 >= 1)) {
  byte l1;
  bit l2;
  ((_last == 0) && (len(rv) < 1));
  select (l1 : 1 .. 2)
}
active proctype P1() {
  bit l3;
  bit l4 = 1;
  end1: (_last == 3);
  do
    :: (_last != 3) -> goto L2
    :: l4
    :: !l3 -> if
      :: !l4 -> ((l3 >= 0) && (l3 == l3));
      (l3 >= 0)
    fi
  od;
  L2: in0((g0 == l3), g0)
}
active proctype P2() {
  byte l5;
  againP2:
  rv!(l5 & g0);
  do
    :: rv?eval(l5) -> l5 = 1
  od;
  in0((~ g0), g0);
  goto againP2
}
active [2] proctype P3() provided ((g0 < 1)) {
  unsigned l6 : 2;
  mtype la7[2];
  chan lc8 = [1] of { byte };
  rv?_;
  select (l6 : 0 .. 3);
  in0(l6, g0)
}
