-- error: the argument for `a` has the wrong type
var x : 0..3;
procedure p(a : boolean); begin end;
startstate begin x := 0; end;
rule begin p(3); end;
