/* expect: holds; states: 35; transitions: 48 */
/* The escape begins with a loop. */
byte x; bool a;
active proctype P()
{
    { x = 1; x = 2 } unless { do :: a && x < 5 -> x++ :: a && x >= 5 -> break od; x = 50 }
}
active proctype Q() { a = true }
