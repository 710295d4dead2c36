/* expect: holds; states: 7; transitions: 6 */
/* A handshake is one step of the state graph, of two processes at once. */
chan c = [0] of { byte };
byte r;
active proctype P() { c!3; c!4 }
active proctype Q() { byte v; c?v; r = v; c?v; r = v }
