/* expect: accepted */
/* Why: the name of an mtype is a constant for the lexer. */
mtype = { A, B };
active proctype p() { byte A = 7; byte b = A; byte c; c = A; assert(b == c) }
