-- error: the value has the wrong type
var x : 0..3;
startstate begin x := 0; end;
rule begin x := true; end;
