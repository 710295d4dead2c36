-- error: a constant's value must be constant
var x : 0..3;
const c : x + 1;
startstate begin x := 0; end;
rule begin end;
