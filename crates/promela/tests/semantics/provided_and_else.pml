/* expect: holds; states: 29; transitions: 40 */
/* A clause that turns false while the process stands at an else. */
byte x; bool on = true;
active proctype P() provided (on) { do :: x < 2 -> x++ :: else -> break od; x = 9 }
active proctype Q() { on = false; on = true }
