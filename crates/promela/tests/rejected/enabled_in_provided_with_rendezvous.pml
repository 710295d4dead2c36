/* expect: rejected */
chan c = [0] of { byte };
active proctype P() provided (enabled(1)) { skip }
active proctype Q() { skip }
