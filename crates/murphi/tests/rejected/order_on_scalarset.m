-- error: an operand of `<` must be an integer
type P : scalarset(3);
var x : P;
startstate begin undefine x; end;
ruleset p : P; q : P do rule p < q ==> begin x := p; end; end;
