/* expect: rejected */
typedef T { chan c = [0] of { byte } };
T t;
proctype P() { skip }
init { run P() priority 3 }
