/* expect: holds; states: 12; transitions: 24; depth: 11 */
mtype = { m1, m2, m3 };
byte g0;
unsigned g1 : 2;
bool g2 = false;
unsigned g3 : 2;
short ga4[2] = 1;
typedef TA { byte a[2]; bit b; bool c };
typedef TB { TA t; mtype m; bit z[2] };
TB gs;
chan b0 = [1] of { bit };
active proctype P1() {
  bool l8;
  bit l9;
  do
  :: {
    {
      (l8 <= false)
    } unless {
      skip
    };
    ((l8 == 0) || (l8 == false))
  } unless {
    (!l8 || (l9 <= l8));
    (_nr_pr > 4)
  };
  if
    :: ((_nr_pr == 3) && ((ga4[l9] > l8) || !l9)) -> l9 = 0;
    {
      l9 = (_nr_pr < 3);
      l8 = (~ (- 1))
    }
    :: else -> skip
  fi;
  (g3 == 0)
  od
}
active proctype P2() provided ((g0 >= 0)) {
  int l10;
  againP2:
  (l10 <= (l10 << 1));
  byte d11;
  (_nr_pr > 1);
  l10 = (l10) & 3;
  goto againP2
}
active proctype P0() provided ((gs.t.c == 1)) {
  bit l5;
  bit l6 = 1;
  do
  :: (((l5 >= 1) || (l5 <= 0)) || (l5 == 1));
  l6 = ga4[0];
  b0!m3;
  unsigned d7 : 2;
  d7 = ((l5 / ((l5 & 1) + 1)) * g3);
  if
    :: b0!(l5 & l5)
    :: atomic { b0?<l5> } -> {
      d7 = 2;
      b0!!0;
      b0??l6
    } unless {
      b0??l6
    };
    if
      :: else -> skip
      :: b0!!l5
      :: l5 = l6 -> b0!_nr_pr
    fi
    :: b0!!2 -> do
      :: else -> l6 = 1
      :: b0??l6 -> ((l5 != 1) && nempty(b0))
    od
    :: else -> skip
  fi;
  b0??1
  od
}
