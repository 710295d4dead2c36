-- error: `.f` needs a record
var x : 0..3;
startstate begin x := 0; end;
rule begin x.f := 2; end;
