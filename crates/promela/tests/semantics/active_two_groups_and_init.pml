/* expect: holds; states: 40; transitions: 81 */
/* Active processes and init get their pids in textual order: init is 1 here,
   not 0. */
byte r;
active proctype A() { assert(_pid == 0); r = r + _pid }
init { assert(_pid == 1); r = r + 10 * _pid }
active proctype B() { assert(_pid == 2); r = r + 100 * _pid }
