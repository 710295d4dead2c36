-- error: aliases are separated by `;`
var x : 0..3;
startstate begin x := 0; end;
rule begin alias a : x, b : x do end; end;
