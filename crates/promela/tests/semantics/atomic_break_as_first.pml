/* expect: holds; states: 5; transitions: 4 */
/* do :: atomic { break } od */
byte x;
active proctype P() { x = 1; do :: atomic { break } od; x = 2 }
