-- error: `a` is declared twice
var x : 0..3;
procedure p(a : boolean; a : boolean); begin end;
startstate begin x := 0; end;
rule begin end;
