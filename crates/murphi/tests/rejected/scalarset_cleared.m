-- error: a scalarset has no least value to clear a variable to
type P : scalarset(3);
var x : record p : P; b : boolean; end;
startstate begin clear x; end;
rule begin end;
