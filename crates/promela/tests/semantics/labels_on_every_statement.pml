/* expect: holds; states: 41; transitions: 63 */
/* Plain labels cost nothing. (On the first statement of an option SPIN
   grumbles about them, on that of an atomic it rejects them.) */
chan c = [1] of { byte }; byte x; bool t = true;
proctype C() { skip }
init
{
a:  x = 1;
b:  c!1;
d:  c?x;
e:  t;
f:  assert(t);
g:  printf("x\n");
h:  run C();
i:  if :: x = 2; j: x = 3 :: skip fi;
l:  do :: skip; m: break od;
n:  atomic { x = 3; p: x = 4 };
q:  d_step { x = 5; r: x = 6 };
s:  { x = 7; u: x = 8 };
v:  skip
}
