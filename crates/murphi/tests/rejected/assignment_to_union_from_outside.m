-- error: the value has the wrong type
type P : scalarset(2);
     Q : scalarset(2);
     E : enum { e };
     U : union { P, E };
var x : U; q : Q;
startstate begin x := e; end;
rule begin x := q; end;
