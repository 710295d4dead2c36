-- error: only a simple variable is defined or undefined as a whole
var x : record a : boolean; end;
startstate begin clear x; end;
rule isundefined(x) ==> begin end;
