-- error: the target of an assignment must be a variable
const N : 3;
var x : 0..3;
startstate begin x := 0; end;
rule begin N := 2; end;
