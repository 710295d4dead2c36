-- error: this range is empty
const N : 0;
var x : 1..N;
startstate begin x := 1; end;
rule begin end;
