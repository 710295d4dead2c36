-- error: values of different types are never equal
type P : scalarset(3);
var x : P;
startstate begin undefine x; end;
rule x = 1 ==> begin end;
