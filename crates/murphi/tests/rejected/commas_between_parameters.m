-- error: parameters of different types are separated by `;`
var x : 0..3;
procedure p(a : boolean, b : boolean); begin end;
startstate begin x := 0; end;
rule begin end;
