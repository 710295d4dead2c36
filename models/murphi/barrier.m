-- expect: holds; states: 336; transitions: 1242; unreduced: 6192
-- A reusable barrier that reverses its sense.
--
-- Threads work in phases; nobody may begin a phase before all have finished
-- the one before. A barrier that counts down and then tells everybody to go is
-- easy to get wrong the second time around: a fast thread may come back while
-- a slow one has not yet noticed that it may go. Here each thread keeps a
-- sense of its own, which it flips at every barrier; the last to arrive
-- refills the counter *before* it flips the common sense. (Swap these two, and
-- the model checker finds what happens.)

const
  THREADS : 5;

type
  Thread : scalarset(THREADS);
  Phase  : 0..2;                       -- modulo 3: enough to tell who is ahead
  At     : enum { Working, Arriving, Refilling, Opening, Spinning };

var
  missing : 0 .. THREADS;              -- the barrier: who has yet to come,
  sense   : boolean;                   -- and which way it is turned
  thread  : array [Thread] of record
    at    : At;
    sense : boolean;
    phase : Phase;
  end;

function ahead(a, b : Phase) : boolean;
begin
  return a = (b + 1) % 3;
end;

startstate "before the first phase"
  missing := THREADS;
  sense := false;
  for t : Thread do
    thread[t].at := Working;
    thread[t].sense := false;
    thread[t].phase := 0;
  end;
end;

ruleset t : Thread do
  alias me : thread[t] do

    rule "finish the work" me.at = Working ==>
      me.sense := !me.sense;
      me.at := Arriving;
    end;

    -- Fetch-and-decrement: one indivisible step.
    rule "arrive" me.at = Arriving ==>
      missing := missing - 1;
      me.at := missing = 0 ? Refilling : Spinning;
    end;

    rule "refill" me.at = Refilling ==>
      missing := THREADS;
      me.at := Opening;
    end;

    rule "open" me.at = Opening ==>
      sense := me.sense;
      me.phase := (me.phase + 1) % 3;
      me.at := Working;
    end;

    rule "go" me.at = Spinning & sense = me.sense ==>
      me.phase := (me.phase + 1) % 3;
      me.at := Working;
    end;
  end;
end;

invariant "nobody is a whole phase ahead of one who still works"
  forall t : Thread do forall u : Thread do
    ahead(thread[t].phase, thread[u].phase) -> thread[u].at = Spinning
  end end;

invariant "at most one thread is the last"
  forall t : Thread do forall u : Thread do
    (thread[t].at = Refilling | thread[t].at = Opening) &
    (thread[u].at = Refilling | thread[u].at = Opening) -> t = u
  end end;
