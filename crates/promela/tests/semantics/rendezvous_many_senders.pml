/* expect: holds; states: 40; transitions: 42 */
/* Three senders offer, one receiver takes. */
chan c = [0] of { byte };
byte r;
active [3] proctype S() { c!_pid }
active proctype R() { byte v; c?v; r = v; c?v; r = v; c?v; r = v }
