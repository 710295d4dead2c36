/* expect: rejected */
proctype Q() { chan c = [0] of { byte }; skip }
active proctype P() { _priority > 0 }
