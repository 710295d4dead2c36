/* expect: holds; states: 4; transitions: 3 */
/* The send is the last statement. */
chan c = [0] of { byte };
active proctype P() { c!1 }
active proctype Q() { c?_ }
