-- error: `T` is a type
type T : 0..3;
var x : T;
startstate begin x := 0; end;
rule begin x := T; end;
