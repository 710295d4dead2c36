-- error: a guard must be boolean
var x : 0..3;
startstate begin x := 0; end;
rule "r" 1 ==> begin end;
