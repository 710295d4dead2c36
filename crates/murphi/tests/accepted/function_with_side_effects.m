-- accepted: fine in statements
-- warning: function `next` changes global variables
var x : 0..3;
function next() : 0..3; begin x := (x + 1) % 4; return x; end;
startstate begin x := 0; end;
rule begin x := next(); end;
