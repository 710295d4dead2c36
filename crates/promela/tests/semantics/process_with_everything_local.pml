/* expect: holds; states: 64; transitions: 128 */
/* Two processes without any shared data: a product. */
active [2] proctype P() { byte i; do :: i < 3 -> i++ :: i == 3 -> i = 0 od }
