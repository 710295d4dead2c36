-- error: the target of an assignment cannot be changed
var x : 0..3;
startstate begin x := 0; end;
rule begin for i : 0..3 do i := 0; end; end;
