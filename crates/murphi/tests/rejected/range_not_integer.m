-- error: the start of a range must be an integer
-- error: the end of a range must be an integer
type E : enum { a, b };
var x : a..b;
startstate begin clear x; end;
rule begin end;
