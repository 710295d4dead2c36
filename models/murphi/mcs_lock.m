-- expect: holds; states: 229; transitions: 831; unreduced: 20752
-- The list-based queue lock of Mellor-Crummey and Scott.
--
-- The lock is one pointer to the last of those who wait. To acquire, a process
-- swaps itself in; if there was somebody before, it makes that one point to
-- it and spins on a flag of its own. To release, a process sets the flag of
-- its successor; if it has none yet, it tries to put the lock back to nil, and
-- if that fails it waits for the late successor to show up.
--
-- A nil pointer is an undefined value. Each process is a member of a
-- scalarset: the lock treats all of them alike.

const
  PROCS : 5;

type
  Proc : scalarset(PROCS);
  At   : enum { Idle, Swap, Link, Spin, Critical, Release, Linger };

var
  last : Proc;                        -- the lock
  node : array [Proc] of record
    next   : Proc;
    locked : boolean;
  end;
  at   : array [Proc] of At;
  pred : array [Proc] of Proc;        -- a local variable of acquire

startstate "free"
  undefine last;
  undefine pred;
  for p : Proc do
    undefine node[p].next;
    node[p].locked := false;
    at[p] := Idle;
  end;
end;

ruleset p : Proc do
  alias me : node[p] do

    rule "prepare" at[p] = Idle ==>
      undefine me.next;
      at[p] := Swap;
    end;

    -- Fetch-and-store: one indivisible step.
    rule "swap" at[p] = Swap ==>
      if isundefined(last) then
        at[p] := Critical;
      else
        pred[p] := last;
        me.locked := true;
        at[p] := Link;
      end;
      last := p;
    end;

    rule "link" at[p] = Link ==>
      assert isundefined(node[pred[p]].next) "two successors";
      node[pred[p]].next := p;
      undefine pred[p];
      at[p] := Spin;
    end;

    rule "stop spinning" at[p] = Spin & !me.locked ==>
      at[p] := Critical;
    end;

    rule "leave" at[p] = Critical ==>
      at[p] := Release;
    end;

    -- Compare-and-swap: one indivisible step.
    rule "nobody waits" at[p] = Release & isundefined(me.next) ==>
      if last = p then
        undefine last;
        at[p] := Idle;
      else
        at[p] := Linger;
      end;
    end;

    rule "hand over" (at[p] = Release | at[p] = Linger) & !isundefined(me.next) ==>
      node[me.next].locked := false;
      undefine me.next;
      at[p] := Idle;
    end;
  end;
end;

invariant "mutual exclusion"
  forall p : Proc do forall q : Proc do
    p != q & at[p] = Critical -> at[q] != Critical & at[q] != Release & at[q] != Linger
  end end;

invariant "the lock is free only if nobody has it or waits"
  isundefined(last) -> forall p : Proc do at[p] = Idle | at[p] = Swap end;

-- Being first in the queue and waiting to be told so is transient: at most one
-- process spins on a flag that has already been cleared.
invariant "one baton"
  forall p : Proc do forall q : Proc do
    p != q & at[p] = Spin & at[q] = Spin -> node[p].locked | node[q].locked
  end end;
