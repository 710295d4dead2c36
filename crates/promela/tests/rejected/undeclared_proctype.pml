/* expect: rejected */
/* Why: nobody is called D. */
init { run D() }
