-- error: `Later` is not declared
type A : array [Later] of boolean;
     Later : 0..3;
var x : 0..3;
startstate begin x := 0; end;
rule begin end;
