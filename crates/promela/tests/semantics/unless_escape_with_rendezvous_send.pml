/* expect: violated deadlock; states: 13; transitions: 15; errors: 1 */
/* The escape offers a handshake: with a ready receiver it has priority. */
byte x, y; chan c = [0] of { byte };
active proctype P() { { x = 1; x = 2 } unless { c!7 -> x = 3 } }
active proctype Q() { y = 1; c?y }
