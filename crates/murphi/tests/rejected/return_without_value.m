-- error: a function returns a value
var x : 0..3;
function f() : boolean; begin return; end;
startstate begin x := 0; end;
rule begin end;
