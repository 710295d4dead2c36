/* expect: rejected */
/* Why: a unless b unless c needs braces. */
byte x; bool b, c;
active proctype P() { { x = 1; x = 2 } unless { b -> x = 20 } unless { c -> x = 30 } }
