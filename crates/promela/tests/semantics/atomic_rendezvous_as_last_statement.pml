/* expect: holds; states: 11; transitions: 13 */
/* The send is the last statement of the sender's atomic. */
chan c = [0] of { byte };
byte x, y;
active proctype P() { atomic { x = 1; c!1 }; x = 2 }
active proctype Q() { byte v; atomic { y = 1; c?v }; y = 2 }
