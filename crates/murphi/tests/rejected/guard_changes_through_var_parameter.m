-- error: a guard must not change the state
var x : 0..3;
function next(var v : 0..3) : boolean; begin v := 1; return true; end;
startstate begin x := 0; end;
rule next(x) ==> begin end;
