/* expect: violated deadlock; states: 145; transitions: 224; errors: 15; depth: 17 */
mtype = { m1, m2, m3 };
byte g0;
bit g1;
chan rv = [0] of { bool, bit };
#define MAC full(rv)
inline in0(p0) {
  rv?g1,g0;
  MAC;
  ((~ (g1 / 3)));
  if :: (p0) -> skip :: else -> g0 = p0 & 1 fi
}
active proctype P2() provided ((len(rv) == 1)) {
  int l8;
  againP2:
  do
    :: rv!true((l8 & l8)) -> rv??true,l8;
    rv?0,eval((~ 0))
    :: rv?l8,g0 -> {
      g1 = 0
    } unless {
      rv?0,l8;
      rv?g0,l8
    }
    :: rv?g0,1 -> {
      rv!!false((1 & g0))
    } unless {
      g1 = g0;
      rv!!true,1
    }
  od;
  unsigned d9 : 2;
  rv!!l8,(d9 | d9);
  atomic {
    (_last != 3);
    g1 = 0
  };
  goto againP2
}
active [2] proctype P0() {
  byte l2;
  byte l3 = 3;
  byte d4 = 254;
  progress1: atomic {
    rv?0,d4;
    g0 = 1;
    l3 = 1;
    l3 = ((g0 >= 0)) % 3
  };
  !g1;
  rv??g1,eval((m2 >> (d4 & 3)));
  progress2: rv!(l3 - l2),1
}
active proctype P1() provided (empty(rv)) {
  unsigned l5 : 2;
  unsigned l6 : 3;
  againP1:
  progress3: rv!!(l6 == 0),g1;
  bool d7 = 0;
  g1 = 0;
  goto againP1
}
init {
  atomic {
    skip
  };
  rv!!0((g1 >= 1))
}
