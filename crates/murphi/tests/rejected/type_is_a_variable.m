-- error: `x` is not a type
var x : 0..3;
var y : x;
startstate begin x := 0; end;
rule begin end;
