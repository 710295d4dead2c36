-- error: this constant has no value
const c : 2147483647 + 1;
var x : 0..3;
startstate begin x := 0; end;
rule begin end;
