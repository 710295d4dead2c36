/* expect: violated deadlock; states: 88; transitions: 158; errors: 6; depth: 18 */
mtype = { m1, m2, m3 };
byte g0;
typedef TA { byte a[2]; bit b; mtype c };
typedef TB { TA t[2]; mtype m; bit z[2] };
TA gs[2];
chan b0 = [2] of { mtype, bit };
chan ca[2] = [1] of { byte, byte };
chan mob = [0] of { bool };
chan mob2 = [0] of { bool };
chan carry = [1] of { chan, byte };
#define MAC (gs[0].a[(!gs[(g0) & 1].b) & 1] >= 2)
inline in0() {
  carry!mob,len(b0);
  select (g0 : 1 .. 3);
  do
    :: ca[((gs[(g0) & 1].a[1] > gs[(g0) & 1].c)) & 1]!0(g0) -> (gs[0].c >= m1);
    end1: !(((g0 != g0) || (gs[((g0 | g0)) & 1].c > m1)))
    :: g0 = 2 -> break
  od
}
active proctype P2() {
  bit l7;
  chan rc8;
  rc8 = mob;
  end5: rc8?_;
  in0();
  do
    :: ca[l7]!0(0) -> mob!!0;
    end7: {
      l7 = (- g0);
      mob?eval(l7);
      end6: b0!m1,_nr_pr
    } unless {
      rc8?l7;
      l7
    }
    :: gs[l7].b = l7 -> {
      mob2!false;
      l7 = ((gs[((l7 + 0)) & 1].c & l7) & (- 0));
      mob!!g0
    } unless {
      l7 = len(mob2);
      l7--
    };
    in0()
    :: ca[1]!!0(3) -> ca[(2) & 1]?g0,0; break
  od;
  if
    :: ca[1]??3,g0 -> select (g0 : 1 .. 3)
    :: (_nr_pr == (l7 | l7)) -> {
      rc8?l7;
      mob2!_nr_pr
    }
    :: b0!m2(0)
  fi
}
init {
  pid ip;
  atomic {
    ip = run P0(mob, m3);
    ip = run P3()
  };
  ip = 255 + (ip & 1);
  end9: ca[(ip) & 1]!(ip % 3),len(ca[(ip) & 1])
}
proctype P3() {
  mtype l9;
  chan rc10;
  rc10 = mob2;
  if
    :: (len(ca[0]) == 1)
    :: mob!!0 -> mob??gs[0].a[0]
    :: (l9 == m1)
  fi;
  progress8: {
    (l9 >= m1)
  } unless {
    skip
  }
}
proctype P0(chan a1; mtype a2) provided (((gs[1].c == m3) && (g0 <= 255))) {
  unsigned l3 : 2;
  againP0:
  ca[1]?<2,g0>;
  accept3: {
    l3--;
    in0();
    end2: assert((l3 >= 2))
  } unless {
    a2 = m1;
    a1!0
  };
  goto againP0
}
active proctype P1() provided ((g0 > g0)) {
  unsigned l4 : 3 = 2;
  unsigned l5 : 3 = 2;
  chan rc6;
  rc6 = mob2;
  end: do
  :: l5 = g0;
  end4: ((l5 != l4) != (l4 >> 1));
  {
    if
      :: b0!m3(l4) -> b0?gs[0].c,_
      :: ((l5 == 1) || (l5 == l5))
    fi;
    rc6!0;
    select (l5 : 1 .. 3)
  } unless {
    nempty(carry)
  }
  od
}
