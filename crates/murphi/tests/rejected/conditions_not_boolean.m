-- error: the condition of `if` must be boolean
-- error: the condition of `while` must be boolean
-- error: what is asserted must be boolean
-- error: what is quantified must be boolean
-- error: an operand of `&` must be boolean
-- error: the operand of `!` must be boolean
var x : 0..3;
startstate begin x := 0; end;
rule begin
  if x then end;
  while 1 do end;
  assert x;
  assert forall i : 0..3 do i end;
  assert x & true;
  assert !x;
end;
