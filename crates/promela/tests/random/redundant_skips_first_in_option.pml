/* expect: violated deadlock; states: 9; transitions: 12; errors: 1; depth: 4 */
mtype = { m1, m2, m3 };
byte g0;
typedef TA { byte a[2]; bit b; bool c };
TA gs;
chan mob = [1] of { bit, mtype };
chan mob2 = [1] of { bit, mtype };
chan carry = [0] of { chan, byte };
active proctype P0() {
  pid l1;
  byte l2 = 1;
  chan rc3;
  rc3 = mob;
  end: do
  :: skip; skip;
  mob2?_,_;
  end1: do
    :: (gs.c < (3 % ((l1 & 1) + 1))) -> if
      :: mob2?<l2,_> -> l1 = (len(rc3)) & 3
    fi;
    {
      mob?_,g0;
      gs.a[0] = 1
    }; break
  od;
  l2 = 0
  od
}
active proctype P1() {
  bool l4;
  unsigned l5 : 2;
  chan rc6;
  rc6 = mob2;
  end2: (g0 == 0);
  {
    {
      carry?rc6,1;
      end3: rc6!1(m1)
    };
    l5 = ((l5 != 3) ^ (gs.a[1] ^ l4))
  }
}
