/* expect: violated deadlock; states: 2; transitions: 1; errors: 1 */
/* A send to a full channel blocks; messages are never lost here. */
chan c = [1] of { byte };
active proctype P() { c!1; c!2 }
