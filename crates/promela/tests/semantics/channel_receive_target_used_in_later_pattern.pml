/* expect: holds; states: 8; transitions: 7 */
/* A pattern is compared before anything is assigned. */
chan c = [2] of { byte, byte };
byte k = 1;
active proctype P() { c!5,1; c?k,eval(k); assert(k == 5); c!6,6; if :: c?k,eval(k) -> assert(false) :: timeout -> skip fi }
