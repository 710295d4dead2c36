-- error: real numbers are not supported
var x : real(4, 99);
startstate begin x := 1; end;
rule begin end;
