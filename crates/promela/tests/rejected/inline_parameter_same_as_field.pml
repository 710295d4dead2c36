/* expect: rejected */
/* Why: parameters of an inline are replaced as text, after a dot as well:
   t.b becomes t.x, and "no field 'x' defined in structure 't'". */
typedef T { byte a; byte b }
T t; byte x = 3;
inline f(b) { t.b = b }
active proctype P() { f(x) }
