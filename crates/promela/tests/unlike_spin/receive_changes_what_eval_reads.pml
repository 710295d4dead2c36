/* expect: holds; states: 5695; transitions: 29012; depth: 17 */
/* Why: `eval(g0)` beside a field that is stored in g0: taking the step back, SPIN puts the new value of g0 into the channel. */
mtype = { m1, m2, m3 };
byte g0;
hidden byte hid;
typedef TA { byte a[2]; bit b; unsigned c : 2 };
TA gs;
chan rv = [0] of { byte, byte, mtype };
chan b0 = [2] of { byte, bit, bool };
chan b1 = [2] of { byte, bit, bit };
#define MAC gs.c++
active [2] proctype P1() {
  byte l5 = 1;
  (g0 <= 3);
  b0!!g0,1,gs.a[0];
  L1: do
    :: g0 = 1
    :: b1!!gs.a[((l5 == 3)) & 1],3,0 -> select (l5 : 0 .. 2);
    if
      :: l5 = 1 -> goto L1
      :: !((l5 <= 2)) -> (l5 < 0)
      :: b1??<eval(gs.b),g0,gs.b> -> goto L1
    fi
  od
}
proctype P0(mtype a1) {
  bool l2 = true;
  unsigned l3 : 2;
  bit d4;
  MAC;
  do
    :: b0?eval(l2),1,gs.c -> b1?<eval(a1),gs.a[0],0>;
    b1!1((1 + m2),g0)
  od
}
init {
  pid ip;
  atomic {
    run P0(m1);
    b0??ip,g0,eval(g0);
    run P0(m1)
  };
  select (ip : 0 .. 2);
  if
    :: b1??ip,gs.a[0],1
  fi
}
