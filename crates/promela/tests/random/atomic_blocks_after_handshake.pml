/* expect: violated assertion; states: 314; transitions: 1417; errors: 106; depth: 90 */
mtype = { m1, m2, m3 };
byte g0;
bit g1 = 0;
byte ga2[4];
typedef TA { byte a[2]; bit b; mtype c };
typedef TB { TA t[2]; mtype m; bit z[2] };
TB gs;
chan rv = [0] of { short };
#define MAC g1 = ((ga2[(m1) & 3] == 1) | (3 % 2))
proctype P0(bool a3) {
  unsigned l4 : 2;
  bool l5;
  mtype la6[3] = m1;
  end: do
  :: atomic {
    do
      :: rv?_ -> break
      :: rv?_ -> rv?_
    od;
    assert((a3 <= false))
  };
  assert(((a3 >= 0) && (l5 < true)));
  end1: MAC;
  (a3)
  od
}
init {
  atomic {
    run P0(1);
    run P0(0);
    run P1(1);
    run P2(0, m3);
    run P2((ga2[((m2 * m1)) & 3] | g1), m2)
  }
}
proctype P1(short a7) {
  short l8 = 3;
  int l9 = 32767;
  againP1:
  do
    :: rv!!a7 -> rv!!_nr_pr
  od;
  end2: l8 = 2;
  MAC;
  goto againP1
}
proctype P2(byte a10; mtype a11) {
  unsigned l12 : 2;
  byte la13[3];
  againP2:
  MAC;
  MAC;
  goto againP2
}
