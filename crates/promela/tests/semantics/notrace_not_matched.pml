/* expect: holds; states: 4; transitions: 3 */
/* A notrace that the program does not follow. */
chan c = [2] of { byte };
active proctype P() { c!1; c!3 }
notrace { c!1; c!2 }
