/* expect: violated deadlock; states: 41; transitions: 59; errors: 5 */
/* One sender, three receivers: every partner is a transition of its own. */
chan c = [0] of { byte };
byte r;
active proctype S() { c!1; c!2 }
active [3] proctype R() { byte v; c?v; r = r + v }
