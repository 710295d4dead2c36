-- error: a procedure returns no value
var x : 0..3;
procedure p(); begin return 3; end;
startstate begin x := 0; end;
rule begin end;
