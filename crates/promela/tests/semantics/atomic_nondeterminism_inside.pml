/* expect: holds; states: 7; transitions: 9 */
/* Choices inside an atomic all become branches of one step; two ways to the
   same end state are two transitions. */
byte x;
active proctype P()
{
    atomic {
        if :: x = 1 :: x = 2 :: x = 1 fi;
        if :: x = x + 1 :: x = x + 2 fi
    }
}
