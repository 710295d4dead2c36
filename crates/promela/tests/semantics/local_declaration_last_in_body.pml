/* expect: holds; states: 4; transitions: 3 */
/* A declaration as the last statement. */
byte x;
active proctype P() { x = 1; byte last }
