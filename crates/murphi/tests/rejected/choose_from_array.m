-- error: expected a multiset
var m : array [0..3] of boolean;
startstate begin clear m; end;
choose i : m do rule begin end; end;
