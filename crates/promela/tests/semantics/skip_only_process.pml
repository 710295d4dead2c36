/* expect: holds; states: 7; transitions: 8 */
/* A body of one skip: two steps, the skip and the death. */
active proctype P() { skip }
active proctype Q() { skip }
