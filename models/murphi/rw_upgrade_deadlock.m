-- expect: violated deadlock
-- A readers-writer lock with an upgrade, and why most libraries have none.
--
-- A reader may ask to become the writer without letting go of its share. It
-- then waits until it is the only reader left. That works as long as only one
-- asks: two readers that both want to be upgraded wait for each other for
-- ever. (The remedy: an upgrade that may fail, or a third mode of the lock
-- that only one reader can have.)

const
  PROCS : 3;

type
  Proc : scalarset(PROCS);
  Mode : enum { Out, Reading, Upgrading, Writing };

var
  mode : array [Proc] of Mode;

-- How many have the given mode.
function count(m : Mode) : 0..PROCS;
  var n : 0..PROCS;
begin
  n := 0;
  for p : Proc do
    if mode[p] = m then n := n + 1; end;
  end;
  return n;
end;

startstate
  for p : Proc do mode[p] := Out; end;
end;

ruleset p : Proc do
  -- New readers are kept out while somebody waits for the others to leave.
  rule "start to read" mode[p] = Out & count(Writing) = 0 & count(Upgrading) = 0 ==>
    mode[p] := Reading;
  end;

  rule "stop reading" mode[p] = Reading ==>
    mode[p] := Out;
  end;

  rule "ask for an upgrade" mode[p] = Reading ==>
    mode[p] := Upgrading;
  end;

  rule "become the writer" mode[p] = Upgrading & count(Reading) = 0 & count(Upgrading) = 1 ==>
    mode[p] := Writing;
  end;

  rule "stop writing" mode[p] = Writing ==>
    mode[p] := Out;
  end;
end;

invariant "writers are alone"
  count(Writing) = 0 | count(Writing) = 1 & count(Reading) = 0;
