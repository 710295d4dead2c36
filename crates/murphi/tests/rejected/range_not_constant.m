-- error: the start of a range must be constant
var x : 0..3;
var y : x..3;
startstate begin x := 0; end;
rule begin end;
