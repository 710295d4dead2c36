-- error: a multiset must have room for an element
var x : 0..3;
    m : multiset [0] of boolean;
startstate begin x := 0; end;
rule begin end;
