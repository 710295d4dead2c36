-- error: a step must be constant
var x : 0..3;
startstate begin x := 0; end;
rule begin for i := 1 to 3 by x do end; end;
