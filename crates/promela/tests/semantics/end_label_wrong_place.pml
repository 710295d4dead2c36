/* expect: violated deadlock; states: 6; transitions: 7; errors: 1 */
/* The label is on another statement: an invalid end state. */
chan c = [1] of { byte };
active proctype S() { byte v; end: skip; c?v }
active proctype T() { skip }
