/* expect: violated deadlock; states: 23; transitions: 24; errors: 3; depth: 9 */
mtype = { m1, m2, m3 };
byte g0;
bit g1;
byte g2 = 2;
bit ga3[4];
hidden byte hid;
chan rv = [0] of { byte };
chan b0 = [1] of { bool, bool, byte };
inline in0() {
  select (g2 : 0 .. 2);
  (_pid == 1)
}
active proctype P1() {
  unsigned l6 : 2;
  bit l7 = 1;
  chan lc8 = [0] of { bool, bool, bit };
  timeout;
  ga3[0] = 1
}
active proctype P0() {
  mtype l4;
  bit l5 = 0;
  do
  :: g0 = 1;
  {
    in0();
    select (g2 : 1 .. 1)
  };
  select (g0 : 0 .. 2);
  rv!(~ l4);
  (l5 < 0)
  od
}
