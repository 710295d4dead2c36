-- error: the bound of a ruleset must be constant
var x : 0..3;
startstate begin x := 0; end;
ruleset i := 0 to x do rule begin end; end;
