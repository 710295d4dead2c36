/* expect: holds; states: 7; transitions: 6 */
/* A bool field carries true and false. */
chan c = [1] of { bool, byte };
byte r;
active proctype P() { c!true,1; c!false,2 }
active proctype Q() { do :: c?true,r :: c?false,r -> break od }
