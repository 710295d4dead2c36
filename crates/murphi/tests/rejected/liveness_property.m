-- error: `liveness` properties are not supported
var x : 0..3;
startstate begin x := 0; end;
rule begin end;
liveness "l" x = 1;
