-- error: `fairness` is not supported
var x : 0..3;
startstate begin x := 0; end;
rule begin end;
fairness "l" x = 1;
