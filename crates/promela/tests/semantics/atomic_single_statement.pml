/* expect: holds; states: 13; transitions: 18 */
/* An atomic around one statement is that statement. */
byte x;
active proctype P() { atomic { x++ }; atomic { x++ } }
active proctype Q() { atomic { x++ }; x++ }
