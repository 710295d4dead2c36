-- error: `log` is not declared
var x : 0..3;
startstate begin x := 0; end;
rule begin x := log(2); end;
