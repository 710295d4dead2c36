-- error: an array cannot be indexed by values of this type
type R : record a : boolean; end;
var x : array [R] of boolean;
startstate begin clear x; end;
rule begin end;
