/* expect: holds; states: 4; transitions: 3 */
/* A label on the last statement inside the d_step, jumped to from within. */
byte x;
active proctype P() { d_step { x = 1; if :: x == 1 -> goto fin :: else fi; x = 5; fin: skip }; x = x + 1 }
