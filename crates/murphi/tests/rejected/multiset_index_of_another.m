-- error: an element of a multiset is named by the variable of a `choose`
var m : multiset [3] of boolean;
    n : multiset [2] of boolean;
startstate begin undefine m; undefine n; end;
choose i : m do rule n[i] ==> begin end; end;
