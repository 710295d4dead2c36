/* expect: holds; states: 4; transitions: 3 */
/* Buffered i/o inside a d_step, as long as it cannot block. */
chan c = [3] of { byte };
byte x;
active proctype P() { byte v; d_step { c!1; c!2; c?v; x = v; c!3 }; d_step { c?v; x = x + v; c?v; x = x + v } }
