-- accepted: a union may contain the booleans: their numbers are nobody else's
type E : enum { a };
     U : union { E, boolean };
var x : U;
startstate begin x := true; end;
rule x = a ==> begin x := false; end;
