/* expect: holds; states: 5; transitions: 4 */
/* Parameters are cut to their types, too. */
proctype C(bit a; bool b; byte c; short d; mtype m; pid p) { assert(a == 0 && b == 0 && c == 44 && d == 1 && m == 44 && p == 44) }
init { run C(2, 2, 300, 65537, 300, 300) }
