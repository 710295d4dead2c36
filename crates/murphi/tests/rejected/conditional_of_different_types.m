-- error: the values of `? :` have different types
var x : 0..3;
startstate begin x := 0; end;
rule begin x := true ? 1 : false; end;
