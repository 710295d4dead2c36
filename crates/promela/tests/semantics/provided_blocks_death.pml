/* expect: holds; states: 2; transitions: 1 */
/* Dying needs the clause, too; but the end of a body is a valid end. */
byte x = 1;
active proctype P() provided (x < 2) { x = 2 }
