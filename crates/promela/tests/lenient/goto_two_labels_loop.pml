/* expect: accepted */
/* Why: two gotos that only jump to each other: "confusing control structure". */
byte x;
active proctype P()
{
    x = 1;
A:  goto B;
B:  goto A
}
