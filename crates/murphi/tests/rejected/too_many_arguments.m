-- error: `p` takes 1 argument
var x : 0..3;
procedure p(a : boolean); begin end;
startstate begin x := 0; end;
rule begin p(true, false); end;
