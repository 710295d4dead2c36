-- accepted: folded, also through `? :`
const A : 3; B : A > 2 ? A * 2 : 1; C : A = 3 & !(B = 1); D : -A + +B % 4;
type E : enum { e }; const F : e;
var x : D..B; y : E;
startstate begin x := B; y := F; end;
rule C ==> begin switch x case A: case B: end; end;
