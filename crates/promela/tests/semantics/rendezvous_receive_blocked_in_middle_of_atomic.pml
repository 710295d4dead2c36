/* expect: holds; states: 11; transitions: 13 */
/* The receiver waits in the middle of its atomic; the handshake resumes it. */
chan c = [0] of { byte };
byte x, y;
active proctype P() { x = 1; c!1; x = 2 }
active proctype Q() { byte v; atomic { y = 1; c?v; y = 2; y = 3 }; y = 4 }
