-- expect: violated undefined
-- Double-checked initialisation, published too early.
--
-- Several threads share an object that the first to need it makes. To spare
-- the lock in the common case they look at a flag first, without the lock. But
-- the flag goes up before the object is complete (the two writes were in the
-- wrong order, or the hardware swapped them). A thread that only looks at the
-- flag reads a field that nobody has written yet.
--
-- There is no invariant here. Variables are undefined until they are assigned,
-- and to read an undefined value is an error of its own.

const
  THREADS : 3;

type
  Thread : scalarset(THREADS);
  Size   : 1..4;
  At     : enum { Start, Wait, Recheck, Allocate, Raise, Fill, Unlock, Use, Done };

var
  at     : array [Thread] of At;
  ready  : boolean;
  holder : Thread;                       -- of the lock; undefined: free
  object : record
    made : boolean;
    size : Size;
  end;
  total  : 0..12;                        -- what the threads make of it

startstate
  for t : Thread do at[t] := Start; end;
  ready := false;
  total := 0;
  undefine holder;
  undefine object;
  object.made := false;
end;

ruleset t : Thread do
  rule "look at the flag, without the lock" at[t] = Start ==>
    at[t] := ready ? Use : Wait;
  end;

  rule "take the lock" at[t] = Wait & isundefined(holder) ==>
    holder := t;
    at[t] := Recheck;
  end;

  rule "look again, with the lock" at[t] = Recheck ==>
    at[t] := ready ? Unlock : Allocate;
  end;

  rule "allocate" at[t] = Allocate ==>
    assert !object.made "made twice";
    object.made := true;
    at[t] := Raise;
  end;

  rule "raise the flag" at[t] = Raise ==>
    ready := true;
    at[t] := Fill;
  end;

  rule "fill in the fields" at[t] = Fill ==>
    object.size := 4;
    at[t] := Unlock;
  end;

  rule "unlock" at[t] = Unlock ==>
    undefine holder;
    at[t] := Use;
  end;

  rule "use the object" at[t] = Use ==>
    total := total + object.size;        -- undefined for who came too early
    at[t] := Done;
  end;
end;

rule "all are done" forall t : Thread do at[t] = Done end ==>
  for t : Thread do at[t] := Start; end;
  total := 0;
end;
