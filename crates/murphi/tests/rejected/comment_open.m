-- error: this comment never ends
var x : 0..3;
startstate begin x := 0; end;
rule begin end;
/* no end
