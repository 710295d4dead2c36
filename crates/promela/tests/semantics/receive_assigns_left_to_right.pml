/* expect: holds; states: 5; transitions: 4 */
/* c?i,a[i] assigns from left to right: the new i chooses the element. */
chan c = [1] of { byte, byte };
byte a[3]; byte i = 1;
active proctype P() { c!2,9; c?i,a[i]; assert(i == 2 && a[2] == 9 && a[1] == 0) }
