-- error: a scalarset must have a value
type P : scalarset(0);
var x : 0..3;
startstate begin x := 0; end;
rule begin end;
