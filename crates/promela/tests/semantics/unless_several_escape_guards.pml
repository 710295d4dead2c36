/* expect: holds; states: 60; transitions: 106 */
/* The escape begins with a choice: all its enabled options are taken. */
byte x; bool a, b;
active proctype P()
{
    { x = 1; x = 2 } unless { if :: a -> x = 20 :: b -> x = 30 fi; x = x + 1 }
}
active proctype Q() { a = true }
active proctype R() { b = true }
