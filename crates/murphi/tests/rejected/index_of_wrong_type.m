-- error: the index has the wrong type
var x : array [0..3] of boolean;
startstate begin clear x; end;
rule x[true] ==> begin end;
