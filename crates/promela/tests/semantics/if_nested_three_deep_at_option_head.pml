/* expect: holds; states: 14; transitions: 13 */
/* Option heads nested three deep. */
byte x;
active proctype P()
{
    if
    :: if
       :: if :: x = 1 :: x = 2 fi
       :: x = 3; x = 4
       fi
    :: x = 5
    fi;
    x = x + 10
}
