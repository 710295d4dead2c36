/* expect: holds; states: 8; transitions: 8 */
/* A trace over receives; sends on the same channel are not its business. */
chan c = [2] of { byte };
byte r;
active proctype P() { c!1; c!2 }
active proctype Q() { c?r; c?r }
trace { c?1; c?2 }
