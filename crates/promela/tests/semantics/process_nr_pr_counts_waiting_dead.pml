/* expect: holds; states: 11; transitions: 13 */
/* A finished process that may not die yet is still counted. */
byte seen;
proctype Short() { skip }
proctype Long() { seen = _nr_pr; seen = _nr_pr }
init { atomic { run Short(); run Long() } }
