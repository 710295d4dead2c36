-- error: `p` takes 2 arguments
var x : 0..3;
procedure p(a, b : boolean); begin end;
startstate begin x := 0; end;
rule begin p(true); end;
