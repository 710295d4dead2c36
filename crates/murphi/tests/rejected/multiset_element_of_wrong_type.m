-- error: the element has the wrong type
var m : multiset [3] of boolean;
startstate begin undefine m; end;
rule begin multisetadd(1, m); end;
