/* A send on a channel that is known only at run time, beside one on a known channel: expect violated assertion */
chan c6[2] = [1] of { byte };
chan c7 = [1] of { byte };
byte g = 1;
active proctype R() { g == 5 }
active proctype P() {
  do
  :: c6[1] ? _ -> assert(false)
  :: break
  od
}
active proctype Q() {
  if
  :: c7 ! 1 -> false
  :: c6[g] ! 1 -> false
  fi
}
