/* expect: holds; states: 5; transitions: 4 */
/* The same on a handshake: c?i,a[i] stores into a[2]. */
chan c = [0] of { byte, byte };
byte a[3]; byte i;
active proctype P() { c!2,7 }
active proctype Q() { c?i,a[i]; assert(a[2] == 7 && a[0] == 0) }
