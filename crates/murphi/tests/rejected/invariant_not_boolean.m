-- error: an invariant must be boolean
var x : 0..3;
startstate begin x := 0; end;
rule begin end;
invariant x;
