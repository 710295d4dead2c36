/* expect: holds; states: 9; transitions: 8 */
/* Names may contain keywords, underscores and digits. */
byte if_1, do_it, _x, atomic2, endless, elsewhere, run_1;
active proctype P() { if_1 = 1; do_it = 2; _x = 3; atomic2 = 4; endless = 5; elsewhere = 6; run_1 = if_1 + _x }
