-- error: a step cannot be 0
var x : 0..3;
startstate begin x := 0; end;
rule begin for i := 1 to 3 by 0 do end; end;
