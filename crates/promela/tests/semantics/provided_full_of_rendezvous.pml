/* expect: holds; states: 6; transitions: 6 */
chan rv = [0] of { byte };
byte x;
active proctype P() provided (full(rv) || x == 1) { rv?_; x = 2 }
active proctype Q() { rv!1; x = 1 }
