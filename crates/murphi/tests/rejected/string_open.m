-- error: this string never ends
var x : 0..3;
startstate begin x := 0; end;
rule "a begin end;
rule begin end;
