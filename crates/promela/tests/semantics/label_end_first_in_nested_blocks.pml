/* expect: violated deadlock; states: 5; transitions: 4; errors: 1 */
chan c = [1] of { byte };
active proctype P() { skip; { { endx: do :: c!1 -> c?_; c?_ :: c!2 -> false od } }; skip }
