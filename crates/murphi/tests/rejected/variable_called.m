-- error: `x` is not a procedure
var x : 0..3;
startstate begin x := 0; end;
rule begin x(); end;
