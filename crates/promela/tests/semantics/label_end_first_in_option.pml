/* expect: violated deadlock; states: 3; transitions: 2; errors: 1 */
chan c = [1] of { byte };
active proctype P() { if :: endx: c?_ -> c?_ :: c!1 -> c?_; c?_ fi }
