-- accepted: an error only if it is executed
-- warning: the value 4 is out of range
-- warning: index 3 is out of bounds
var x : 0..3; a : array [1..2] of boolean;
startstate begin x := 0; clear a; end;
rule false ==> begin x := 4; a[3] := true; end;
