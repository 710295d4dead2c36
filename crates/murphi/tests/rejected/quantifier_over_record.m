-- error: a variable cannot run over the values of this type
type R : record a : boolean; end;
var x : 0..3;
startstate begin x := 0; end;
ruleset r : R do rule begin end; end;
