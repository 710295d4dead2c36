/* expect: violated deadlock; states: 10; transitions: 12; errors: 1 */
/* The escape waits for a handshake: it has no priority over the main sequence,
   for it is executable only while an offer is under way. */
byte x; chan c = [0] of { byte };
active proctype P() { byte v; { x = 1; x = 2 } unless { c?v -> x = v } }
active proctype Q() { c!7 }
