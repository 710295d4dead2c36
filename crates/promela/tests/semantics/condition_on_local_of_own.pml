/* expect: holds; states: 8; transitions: 7 */
/* Guards over locals. */
active proctype P() { byte i; do :: i < 2 -> i++ :: i == 2 -> break od; i == 2 }
