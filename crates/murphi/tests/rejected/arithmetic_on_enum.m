-- error: an operand of `+` must be an integer
type A : enum { a, b };
var x : A;
startstate begin x := a; end;
rule begin x := x + 1; end;
