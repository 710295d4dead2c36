/* expect: holds; states: 17; transitions: 22 */
/* A quirk: pan's else asks whether the *asking* process has moved already, so
   in the first state enabled(0) is false, for e = 1 has been tried before it. */
byte x, e;
active proctype P() { if :: x == 1 -> x = 2 :: else -> x = 3 fi }
active proctype Q() { if :: e = 1 :: enabled(0) -> e = 2 fi }
