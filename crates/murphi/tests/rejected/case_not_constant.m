-- error: a case must be constant
var x : 0..3;
startstate begin x := 0; end;
rule begin switch x case x: end; end;
