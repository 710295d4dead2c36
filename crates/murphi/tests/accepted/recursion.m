-- accepted: a function may call itself
var x : 0..24;
function fac(n : 0..4) : 1..24;
begin
  if n = 0 then return 1; end;
  return n * fac(n - 1);
end;
startstate begin x := fac(4); end;
rule begin x := 1; end;
