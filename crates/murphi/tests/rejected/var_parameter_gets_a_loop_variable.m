-- error: the argument for a `var` parameter cannot be changed
var x : 0..3;
procedure p(var a : 0..3); begin end;
startstate begin x := 0; end;
rule begin for i : 0..3 do p(i); end; end;
