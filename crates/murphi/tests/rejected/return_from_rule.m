-- error: a rule returns no value
var x : 0..3;
startstate begin x := 0; end;
rule begin return 3; end;
