-- error: an invariant must not change the state
var x : 0..3;
procedure set(); begin x := 1; end;
function f() : boolean; begin set(); return true; end;
startstate begin x := 0; end;
rule begin end;
invariant f();
