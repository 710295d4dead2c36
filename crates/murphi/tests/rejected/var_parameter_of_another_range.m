-- error: a `var` parameter needs a variable of its own type
var x : 0..3;
procedure p(var a : 0..4); begin end;
startstate begin x := 0; end;
rule begin p(x); end;
