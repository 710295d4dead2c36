-- error: `multisetremove` needs a place of this multiset
var m : multiset [3] of boolean;
startstate begin undefine m; end;
rule begin multisetremove(1, m); end;
