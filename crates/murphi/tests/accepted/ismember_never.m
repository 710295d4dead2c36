-- accepted: never true, since the types have nothing in common
-- warning: this is never true
type E : enum { a };
     F : enum { b };
var x : E;
startstate begin x := a; end;
rule ismember(x, F) ==> begin end;
