-- expect: holds; states: 55; transitions: 175; unreduced: 3255
-- A ticket lock: first come, first served.
--
-- Processes draw numbered tickets from a dispenser and enter in that order.
-- Numbers wrap around, as they would in any fixed-width word; with as many
-- numbers as there are processes that is just enough.

const
  PROCS : 5;

type
  Proc   : scalarset(PROCS);
  Ticket : 0 .. PROCS - 1;
  Count  : 0 .. PROCS;

var
  dispenser : Ticket;
  serving   : Ticket;
  mine      : array [Proc] of Ticket;   -- undefined: not interested
  inside    : array [Proc] of boolean;

function next(t : Ticket) : Ticket;
begin
  return (t + 1) % PROCS;
end;

-- How many are between the holder and a ticket.
function distance(t : Ticket) : Count;
begin
  return (t + PROCS - serving) % PROCS;
end;

function interested() : Count;
  var n : Count;
begin
  n := 0;
  for p : Proc do
    if !isundefined(mine[p]) then n := n + 1; end;
  end;
  return n;
end;

-- The lock may have been used any number of times before.
ruleset t : Ticket do
  startstate "open at any number"
    dispenser := t;
    serving := t;
    for p : Proc do
      undefine mine[p];
      inside[p] := false;
    end;
  end;
end;

ruleset p : Proc do
  rule "draw" isundefined(mine[p]) ==>
    mine[p] := dispenser;
    dispenser := next(dispenser);
    -- A new ticket is served after all that were drawn before.
    assert distance(mine[p]) = interested() - 1 "jumped the queue";
  end;

  rule "enter" !isundefined(mine[p]) & !inside[p] & mine[p] = serving ==>
    inside[p] := true;
  end;

  rule "leave" inside[p] ==>
    inside[p] := false;
    undefine mine[p];
    serving := next(serving);
  end;
end;

invariant "mutual exclusion"
  forall p : Proc do forall q : Proc do inside[p] & inside[q] -> p = q end end;

invariant "tickets are unique"
  forall p : Proc do forall q : Proc do
    p != q & !isundefined(mine[p]) & !isundefined(mine[q]) -> mine[p] != mine[q]
  end end;

invariant "no number is skipped"
  forall t : Ticket do
    distance(t) < interested() -> exists p : Proc do !isundefined(mine[p]) & mine[p] = t end
  end;
