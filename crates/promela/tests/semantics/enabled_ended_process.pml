/* expect: holds; states: 16; transitions: 18 */
/* enabled of a process at its end, which cannot die before its younger. */
byte e = 9;
active proctype P() { skip }
active proctype Q() { e = enabled(0); e = e + 2; e = enabled(0) }
