/* expect: holds; states: 16; transitions: 20 */
/* A channel declared in a process belongs to it. */
byte r;
active [2] proctype P() { chan c = [1] of { byte }; c!_pid; c?r }
