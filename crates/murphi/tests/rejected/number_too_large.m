-- error: this number is too large
const c : 99999999999;
var x : 0..3;
startstate begin x := 0; end;
rule begin end;
