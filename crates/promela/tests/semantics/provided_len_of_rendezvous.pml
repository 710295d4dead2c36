/* expect: holds; states: 3; transitions: 2 */
chan rv = [0] of { byte };
active proctype P() provided (len(rv) == 1) { end: rv?_; endx: false }
active proctype Q() { rv!1 }
