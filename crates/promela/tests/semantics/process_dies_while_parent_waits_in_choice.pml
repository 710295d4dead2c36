/* expect: holds; states: 15; transitions: 15 */
/* A choice between a message from the child and its death. */
chan c = [1] of { byte }; byte r;
proctype C() { if :: c!1 :: skip fi }
init { run C(); if :: c?r :: _nr_pr == 1 -> r = 9 fi }
