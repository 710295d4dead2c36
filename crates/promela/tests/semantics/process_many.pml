/* expect: holds; states: 511; transitions: 2048 */
/* Eight processes that only die, one after the other. */
active [8] proctype P() { skip }
