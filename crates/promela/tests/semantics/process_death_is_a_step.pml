/* expect: holds; states: 3; transitions: 2 */
/* The end of a process is a step of its own, with a state after it. */
active proctype P() { skip }
