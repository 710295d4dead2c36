-- error: this type is too large
var x : array [0..1000000] of array [0..1000000] of boolean;
startstate begin clear x; end;
rule begin end;
