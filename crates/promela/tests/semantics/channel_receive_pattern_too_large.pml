/* expect: holds; states: 5; transitions: 4 */
/* The pattern 300 never matches a byte field holding 300 % 256. */
chan c = [1] of { byte };
byte r;
active proctype P() { c!300; if :: c?300 -> r = 1 :: c?44 -> r = 2 fi }
