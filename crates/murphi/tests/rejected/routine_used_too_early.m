-- error: `q` is not declared
var x : 0..3;
procedure p(); begin q(); end;
procedure q(); begin p(); end;
startstate begin x := 0; end;
rule begin end;
