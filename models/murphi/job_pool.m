-- expect: holds; states: 288; transitions: 2119; unreduced: 2296
-- A pool of jobs that clients fill, workers empty, and clients may give up.
--
-- The pool is a multiset: jobs are taken in any order, and two jobs of the
-- same client that are equally urgent cannot be told apart. A client that
-- hangs up takes back all its jobs at once (multisetremovepred). Workers that
-- are busy with them only find out when they are done.

const
  CLIENTS : 3;
  WORKERS : 2;
  ROOM    : 4;
  QUOTA   : 2;

type
  Client  : scalarset(CLIENTS);
  Worker  : scalarset(WORKERS);
  Urgency : enum { Soon, Sometime };
  Job     : record client : Client; urgency : Urgency; end;

var
  pool   : multiset [ROOM] of Job;
  worker : array [Worker] of Client;      -- whose job it does; undefined: idle
  open   : array [Client] of 0 .. QUOTA;  -- jobs submitted and not yet done
  there  : array [Client] of boolean;

startstate "closed"
  undefine pool;
  undefine worker;
  for c : Client do
    open[c] := 0;
    there[c] := false;
  end;
end;

ruleset c : Client do
  -- Back only after all that was left behind is cleared away.
  rule "call" !there[c] & forall w : Worker do isundefined(worker[w]) | worker[w] != c end ==>
    there[c] := true;
  end;

  rule "hang up" there[c] ==>
    there[c] := false;
    open[c] := 0;
    multisetremovepred(i : pool, pool[i].client = c);
  end;
end;

ruleset c : Client; u : Urgency do
  rule "submit" there[c] & open[c] < QUOTA & multisetcount(i : pool, true) < ROOM ==>
    var j : Job;
  begin
    j.client := c;
    j.urgency := u;
    multisetadd(j, pool);
    open[c] := open[c] + 1;
  end;
end;

ruleset w : Worker do
  choose i : pool do
    rule "take a job"
      isundefined(worker[w]) &
      (pool[i].urgency = Soon | multisetcount(j : pool, pool[j].urgency = Soon) = 0)
    ==>
      worker[w] := pool[i].client;
      multisetremove(i, pool);
    end;
  end;

  rule "finish a job" !isundefined(worker[w]) ==>
    if there[worker[w]] then
      open[worker[w]] := open[worker[w]] - 1;
    end;
    undefine worker[w];
  end;
end;

-- How many workers are busy for a client.
function served(c : Client) : 0 .. WORKERS;
  var n : 0 .. WORKERS;
begin
  n := 0;
  for w : Worker do
    if !isundefined(worker[w]) then
      if worker[w] = c then n := n + 1; end;
    end;
  end;
  return n;
end;

invariant "who is gone has no jobs in the pool"
  forall c : Client do !there[c] -> multisetcount(i : pool, pool[i].client = c) = 0 end;

invariant "every open job is in the pool or with a worker"
  forall c : Client do
    there[c] -> open[c] = multisetcount(i : pool, pool[i].client = c) + served(c)
  end;
