-- accepted: CMurphi wants one declaration for both, Rumur does not
-- warning: the types are alike, but declared separately
-- warning: the types are alike, but declared separately
var x : array [0..3] of boolean;
    y : array [0..3] of boolean;
startstate begin clear x; y := x; end;
rule begin x := y; end;
