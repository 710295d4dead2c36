-- error: two cases have the same value
var x : 0..3;
startstate begin x := 0; end;
rule begin switch x case 1: case 2, 1: end; end;
