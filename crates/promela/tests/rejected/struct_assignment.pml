/* expect: rejected */
/* Why: structures are not assigned as a whole. */
typedef T { byte a; byte b }
T t, u;
active proctype P() { t = u }
