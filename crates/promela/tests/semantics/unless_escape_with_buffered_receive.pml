/* expect: holds; states: 17; transitions: 21 */
/* The escape waits for a message. */
byte x; chan c = [1] of { byte };
active proctype P() { byte v; { x = 1; x = 2 } unless { c?v -> x = v } }
active proctype Q() { c!7 }
