-- error: only simple values can be compared
type A : array [0..3] of boolean;
var x, y : A;
startstate begin clear x; clear y; end;
rule x = y ==> begin end;
