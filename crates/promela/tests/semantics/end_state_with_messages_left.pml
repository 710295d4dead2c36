/* expect: holds; states: 4; transitions: 3 */
/* Messages left in channels are fine without -q. */
chan c = [2] of { byte };
active proctype P() { c!1; c!2 }
