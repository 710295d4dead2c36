-- error: the target of an assignment cannot be changed
var x : 0..3;
procedure p(a : 0..3); begin a := 1; end;
startstate begin x := 0; end;
rule begin end;
