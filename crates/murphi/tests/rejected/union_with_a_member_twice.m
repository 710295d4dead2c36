-- error: `E` is in this union twice
type E : enum { a };
     U : union { E, E };
var x : 0..3;
startstate begin x := 0; end;
rule begin end;
