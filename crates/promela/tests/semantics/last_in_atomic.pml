/* expect: holds; states: 9; transitions: 10 */
/* Inside an atomic _last is its own process, after the first statement. */
byte seen;
active proctype P() { skip }
active proctype Q() { atomic { seen = 10 + _last; seen = 20 + _last; seen = 30 + _last } }
