-- error: this range is too large
var x : -2147483647..2147483647;
startstate begin x := 0; end;
rule begin end;
