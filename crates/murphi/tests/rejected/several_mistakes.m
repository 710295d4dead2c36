-- error: `y` is not declared
-- error: the value has the wrong type
-- error: there is no field `g`
-- error: `p` takes 0 arguments
var x : 0..3;
var r : record f : 0..3; end;
procedure p(); begin end;
startstate begin x := 0; end;
rule begin x := y; r.f := true; r.g := 1; p(x); x := y + y; end;
