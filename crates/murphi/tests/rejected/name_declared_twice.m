-- error: `x` is declared twice
var x : 0..3;
const x : 3;
startstate begin x := 0; end;
rule begin end;
