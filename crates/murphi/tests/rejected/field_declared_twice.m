-- error: the field `a` is declared twice
var x : 0..3;
    r : record a : 0..3; a : boolean; end;
startstate begin x := 0; end;
rule begin end;
