-- With i = 1 the index is out of bounds as soon as the conditions before it hold; the last condition is no reason for that not to happen.
var g, u, y: 0..1; a: array [0..1] of 0..1;
startstate g := 0; u := 0; y := 0; a[0] := 0; a[1] := 0; end;
rule "C" y = 0 ==> y := 1; end;
rule "A" g = 0 ==> g := 1; end;
ruleset i: 0..1 do
  rule "r" y = 0 & g = 1 & a[i + 1] = 0 & u = 1 ==> y := 1; end;
end;
