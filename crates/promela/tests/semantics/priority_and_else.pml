/* expect: holds; states: 13; transitions: 12 */
/* else and priorities: the else makes the high process always enabled. */
byte x;
active proctype Low() priority 1 { x = 1; x = 2 }
active proctype High() priority 5 { byte n; do :: x == 1 -> x = 10; break :: else -> if :: n < 2 -> n++ :: else -> break fi od }
