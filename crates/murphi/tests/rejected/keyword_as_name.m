-- error: expected a variable, found the keyword `To`
var x : 0..3;
startstate begin x := 0; end;
rule begin undefine To; end;
