/* expect: holds; states: 25; transitions: 45 */
/* Blocking at an if inside the atomic: the state in front of the if is
   stored, and any option may resume it. */
byte x; bool a, b;
active proctype P()
{
    atomic {
        x = 1;
        if
        :: a -> x = 2
        :: b -> x = 3
        fi;
        x = x + 10
    }
}
active proctype Q() { a = 1 }
active proctype R() { b = 1 }
