-- error: a guard must not change the state
var x : 0..3;
function next() : boolean; begin x := 1; return true; end;
startstate begin x := 0; end;
rule next() ==> begin end;
