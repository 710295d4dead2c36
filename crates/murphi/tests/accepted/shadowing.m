-- accepted: an inner quantifier may hide an outer one
-- warning: `i` hides another variable of the same name
var x : 0..3;
startstate begin x := 0; end;
ruleset i : 0..3 do
  rule begin for i : 0..2 do x := i; end; end;
end;
