/* expect: holds; states: 3; transitions: 2 */
/* enabled of a process that does not exist is false. */
bool e = true;
active proctype P() { e = enabled(7) }
