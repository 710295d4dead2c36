-- error: the target of an assignment cannot be changed
var x : 0..3;
startstate begin x := 0; end;
ruleset i : 0..3 do rule begin i := 0; end; end;
