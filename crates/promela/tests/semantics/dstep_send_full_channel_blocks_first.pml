/* expect: holds; states: 9; transitions: 10 */
/* A send to a full channel as the first statement just blocks. */
chan c = [1] of { byte };
byte x;
active proctype P() { c!1; d_step { c!2; x = 1 } }
active proctype Q() { x == 0; c?_ }
