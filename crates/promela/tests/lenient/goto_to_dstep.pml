/* expect: accepted */
/* Why: a label on a d_step counts as inside it: "jump into d_step sequence". */
byte x;
active proctype P()
{
L:  d_step { x++; x++ };
    if
    :: x < 5 -> goto L
    :: else
    fi
}
