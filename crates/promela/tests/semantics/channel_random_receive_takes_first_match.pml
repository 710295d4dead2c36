/* expect: holds; states: 13; transitions: 12 */
/* ?? takes the first message that matches, not each of them. */
chan c = [4] of { byte, byte };
byte r;
active proctype P() { c!1,10; c!2,20; c!2,21; c!3,30; c??2,r; assert(r == 20); c??3,r; assert(r == 30); c??2,r; assert(r == 21); c?1,r }
