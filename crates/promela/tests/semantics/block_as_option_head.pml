/* expect: holds; states: 7; transitions: 6 */
/* Braces at the head of an option. */
byte x;
active proctype P() { do :: { x < 2; x++ } :: { x == 2; break } od }
