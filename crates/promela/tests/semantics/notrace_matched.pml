/* expect: violated event; states: 4; transitions: 3; errors: 1 */
/* A notrace is violated when it is matched to its end. */
chan c = [2] of { byte };
active proctype P() { c!1; c!2 }
notrace { c!1; c!2 }
