/* expect: holds; states: 7; transitions: 6 */
/* Option heads are flattened into one choice, in textual order, and an else
   looks only at those before it: here both the else and x == 1 are taken. */
byte x = 1;
active proctype P()
{
    if
    :: if :: x == 0 -> x = 10 :: else -> x = 20 fi
    :: x == 1 -> x = 30
    fi
}
