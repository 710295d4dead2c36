/* expect: holds; states: 38; transitions: 49 */
/* pc_value(p): the number of p's current place, as the claim sees it. */
byte v;
active proctype P() { skip; skip; skip }
active proctype Q() { v = pc_value(0); v = pc_value(0) }
