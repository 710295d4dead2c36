/* expect: rejected */
chan c = [0] of { byte };
active proctype P() { skip }
never { do :: enabled(0) od }
