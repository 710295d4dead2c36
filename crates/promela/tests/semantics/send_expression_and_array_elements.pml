/* expect: holds; states: 7; transitions: 6 */
/* Sent values may be any expressions; targets may be any places. */
chan c = [2] of { byte, byte };
byte a[2]; byte i;
active proctype P() { a[0] = 3; c!a[0] * 2,a[i] + 1; i = 1; c?a[i],a[0]; assert(a[1] == 6 && a[0] == 4) }
