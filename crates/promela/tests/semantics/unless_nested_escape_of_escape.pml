/* expect: holds; states: 30; transitions: 42 */
/* The outer escape also interrupts the inner escape sequence. */
byte x; bool b;
active proctype P()
{
    { { x = 1; x = 2 } unless { x == 1 -> x = 20; x = 21; x = 22 } } unless { b -> x = 30 }
}
active proctype R() { b = true }
