/* expect: rejected */
/* Why: a break out of a d_step is such a jump, too. */
byte x;
active proctype P() { do :: d_step { x < 3 -> x++ } :: d_step { x >= 3 -> x = 7; break } od; x = 9 }
