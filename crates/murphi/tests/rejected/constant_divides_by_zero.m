-- error: this constant has no value
const c : 1 / 0;
var x : 0..3;
startstate begin x := 0; end;
rule begin end;
