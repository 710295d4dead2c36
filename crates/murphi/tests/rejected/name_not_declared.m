-- error: `y` is not declared
var x : 0..3;
startstate begin x := 0; end;
rule begin x := y; x := y; end;
rule begin y := 1; end;
