-- error: the `var` parameter `a` needs a variable
var x : 0..3;
procedure p(var a : 0..3); begin end;
startstate begin x := 0; end;
rule begin p(x + 1); end;
