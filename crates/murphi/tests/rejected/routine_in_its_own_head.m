-- error: `p` is a procedure
var x : 0..3;
procedure p(var a : p..4); begin end;
startstate begin x := 0; end;
rule begin p(x); end;
