/* expect: rejected */
/* Why: option heads are flattened into one choice, which then has two
   elses; pan refuses to start: "inherits 2 'else' stmnts". */
byte x = 1;
active proctype P()
{
    if
    :: if :: x == 0 -> x = 10 :: else -> x = 20 fi
    :: if :: x == 1 -> x = 30 :: else -> x = 40 fi
    fi
}
