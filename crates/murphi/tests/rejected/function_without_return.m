-- error: function `f` never returns a value
var x : 0..3;
function f() : boolean; begin x := 1; end;
startstate begin x := 0; end;
rule begin end;
