-- error: an operand of `+` must be an integer
type P : scalarset(3);
var x : P; y : 0..3;
startstate begin undefine x; y := 0; end;
ruleset p : P do rule begin y := p + 1; end; end;
