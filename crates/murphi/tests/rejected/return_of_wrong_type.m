-- error: the value has the wrong type
var x : 0..3;
function f() : boolean; begin return 3; end;
startstate begin x := 0; end;
rule begin end;
