/* expect: holds; states: 11; transitions: 11 */
/* The classical shape: wait for an answer, or give up. */
chan c = [1] of { byte };
byte got;
active proctype P() { do :: c?got -> break :: timeout -> got = 99; break od }
active proctype Q() { if :: c!5 :: skip fi }
