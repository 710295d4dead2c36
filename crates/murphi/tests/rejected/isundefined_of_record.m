-- error: `isundefined` needs a simple variable
var x : record a : boolean; end;
startstate begin clear x; end;
rule isundefined(x) ==> begin end;
