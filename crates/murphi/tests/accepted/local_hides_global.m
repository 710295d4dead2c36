-- accepted: locals may have the name of a global, a parameter or a type
type T : 0..3;
var x : T;
procedure p(x : boolean); var x : T; T : boolean; begin x := 1; T := true; end;
startstate begin x := 0; end;
rule var x : boolean; begin x := true; p(x); end;
