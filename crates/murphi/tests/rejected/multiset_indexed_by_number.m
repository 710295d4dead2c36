-- error: an element of a multiset is named by the variable of a `choose`
var m : multiset [3] of boolean;
startstate begin undefine m; end;
rule m[0] ==> begin end;
