-- error: the values of an enum are separated by commas
type E : enum { a b };
var x : 0..3;
startstate begin x := 0; end;
rule begin end;
