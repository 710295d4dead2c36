/* expect: holds; states: 25; transitions: 33 */
/* eval takes an expression; a plain name would be a target. */
chan c = [3] of { byte, byte };
byte r, k = 1;
active proctype P() { c!1,10; c!2,20; c!3,30 }
active proctype Q() { byte v; do :: c?eval(k),v -> r = r + v; k++ :: c?eval(k + 1),v -> assert(false) :: k == 4 -> break od }
