/* expect: holds; states: 51; transitions: 83 */
/* Both the inner and the outer escape are enabled: only the outer is taken. */
byte x; bool a, b;
active proctype P()
{
    { { x = 1; x = 2 } unless { a -> x = 20 } } unless { b -> x = 30 }
}
active proctype Q() { a = true }
active proctype R() { b = true }
