/* expect: violated deadlock+error; states: 13; transitions: 14; errors: 6 */
byte x; chan c = [0] of { byte };
active D_proctype P() { if :: c?_ -> x = 1 :: c?1 -> x = 2 fi }
active proctype Q() { c!1 }
active proctype R() { c!1 }
