/* expect: holds; states: 4; transitions: 3 */
/* The other order of if_else_nested_in_option_head: the sibling comes first,
   and excludes the inner else. */
byte x = 1;
active proctype P()
{
    if
    :: x == 1 -> x = 30
    :: if :: x == 0 -> x = 10 :: else -> x = 20 fi
    fi
}
