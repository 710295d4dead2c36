-- error: only arrays and multisets have elements
var x : 0..3;
startstate begin x := 0; end;
rule begin x[1] := 2; end;
