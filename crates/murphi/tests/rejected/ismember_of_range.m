-- error: the type in `ismember` must be an enum or a scalarset
var x : 0..3;
startstate begin x := 0; end;
rule ismember(x, 0..2) ==> begin end;
