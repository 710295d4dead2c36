-- expect: violated range
-- Lamport's bakery, with tickets of a fixed size.
--
-- Who wants to enter takes a number that is larger than all others, then waits
-- for all that have a smaller one (or the same one and a smaller name). The
-- algorithm is right for numbers without bound. But as long as the shop never
-- empties the numbers grow, however few the customers: with a bounded counter
-- the rule "take a number" leaves the range of the type. The checker shows
-- the shortest way there.
--
-- Processes are numbered, not a scalarset, since names are compared.

const
  PROCS : 2;
  LIMIT : 5;

type
  Proc   : 1 .. PROCS;
  Number : 0 .. LIMIT;                 -- 0: not interested
  At     : enum { Idle, Choosing, Waiting, Inside };

var
  at     : array [Proc] of At;
  number : array [Proc] of Number;

function largest() : Number;
  var max : Number;
begin
  max := 0;
  for p : Proc do
    if number[p] > max then max := number[p]; end;
  end;
  return max;
end;

-- Whether p is served before q.
function before(p, q : Proc) : boolean;
begin
  return number[p] < number[q] | number[p] = number[q] & p < q;
end;

startstate
  for p : Proc do
    at[p] := Idle;
    number[p] := 0;
  end;
end;

ruleset p : Proc do
  rule "come in" at[p] = Idle ==>
    at[p] := Choosing;
  end;

  rule "take a number" at[p] = Choosing ==>
    number[p] := largest() + 1;        -- one day this is LIMIT + 1
    at[p] := Waiting;
  end;

  rule "be served"
    at[p] = Waiting &
    forall q : Proc do q = p | at[q] != Choosing & (number[q] = 0 | before(p, q)) end
  ==>
    at[p] := Inside;
  end;

  rule "go" at[p] = Inside ==>
    number[p] := 0;
    at[p] := Idle;
  end;
end;

invariant "one at a time"
  forall p : Proc do forall q : Proc do at[p] = Inside & at[q] = Inside -> p = q end end;
