-- accepted: of little use, but no error
-- warning: a scalarset without a name is of little use
var x : scalarset(3);
startstate begin undefine x; end;
rule begin end;
