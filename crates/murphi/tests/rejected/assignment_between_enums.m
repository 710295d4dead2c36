-- error: the value has the wrong type
type A : enum { a };
     B : enum { b };
var x : A;
startstate begin x := b; end;
rule begin end;
