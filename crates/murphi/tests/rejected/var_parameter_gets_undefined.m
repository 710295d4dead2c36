-- error: `undefined` cannot be given to the `var` parameter `a`
var x : 0..3;
procedure p(var a : 0..3); begin end;
startstate begin x := 0; end;
rule begin p(undefined); end;
