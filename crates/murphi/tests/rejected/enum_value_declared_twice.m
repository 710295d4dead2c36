-- error: `red` is declared twice
type A : enum { red, green };
     B : enum { blue, red };
var x : 0..3;
startstate begin x := 0; end;
rule begin end;
