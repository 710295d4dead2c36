-- error: the target of an assignment cannot be changed
var x : 0..3;
startstate begin x := 0; end;
rule begin alias a : x + 1 do a := 1; end; end;
