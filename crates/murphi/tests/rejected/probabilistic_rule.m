-- error: probabilistic rules are not supported
var x : 0..3;
startstate begin x := 0; end;
rule "r" 0.5 ==> begin end;
