-- error: `p` is a procedure
var x : 0..3;
procedure p(); begin end;
startstate begin x := 0; end;
rule begin x := p(); end;
