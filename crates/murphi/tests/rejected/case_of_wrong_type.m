-- error: a case has the wrong type
var x : 0..3;
startstate begin x := 0; end;
rule begin switch x case true: end; end;
