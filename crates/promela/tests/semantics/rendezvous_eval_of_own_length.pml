/* expect: holds; states: 4; transitions: 3 */
chan rv = [0] of { byte };
active proctype P() { rv?eval(len(rv)) }
active proctype Q() { rv!1 }
