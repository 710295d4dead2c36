/* expect: holds; states: 19; transitions: 26 */
/* Even in an ignored claim the use of _last makes it part of the state. */
byte x;
active proctype P() { x = 1; x = 2 }
active proctype Q() { skip; skip }
never { do :: _last == 5 -> break :: else od }
