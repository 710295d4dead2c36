/* expect: holds; states: 5; transitions: 4 */
/* break inside an if inside a do leaves the do; as an option of its own
   it is a transition. */
byte x;
active proctype P()
{
    do
    :: x++;
       if
       :: x > 2 -> if :: x == 3 -> break :: else -> x = 0 fi
       :: break
       :: else
       fi
    od;
    x = 10
}
