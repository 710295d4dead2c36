-- accepted: an error only if it is executed
-- warning: 4 is outside the range
-- warning: 3 is outside the array
var x : 0..3; a : array [1..2] of boolean;
startstate begin x := 0; clear a; end;
rule false ==> begin x := 4; a[3] := true; end;
