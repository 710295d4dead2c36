-- expect: holds; states: 4740; transitions: 27489; unreduced: 25208
-- Two-phase commit, with participants that crash and recover.
--
-- A coordinator asks all participants to prepare; each votes. With all votes
-- in favour it decides to commit, else to abort, and tells everybody. A
-- participant that has voted yes is bound by that and must wait for the
-- decision, even across a crash: what it has logged survives, what it has
-- only in memory does not. One that has not voted forgets all and votes no
-- after recovery.
--
-- There is a message slot from and to each participant. A message to one that
-- is down is lost; the coordinator repeats what has not been answered.

const
  PARTICIPANTS : 3;

type
  Node    : scalarset(PARTICIPANTS);
  Order   : enum { Prepare, DoCommit, DoAbort };
  Answer  : enum { Yes, No, Done };
  Log     : enum { Empty, Prepared, Committed, Aborted };
  Outcome : enum { Open, Commit, Abort };

var
  coordinator : record
    outcome : Outcome;
    voted   : array [Node] of boolean;    -- answered yes
    done    : array [Node] of boolean;    -- has heard the outcome
  end;
  node   : array [Node] of record
    log : Log;
    up  : boolean;
  end;
  order  : array [Node] of Order;         -- undefined: none under way
  answer : array [Node] of Answer;

startstate "a transaction begins"
  coordinator.outcome := Open;
  undefine order;
  undefine answer;
  for n : Node do
    coordinator.voted[n] := false;
    coordinator.done[n] := false;
    node[n].log := Empty;
    node[n].up := true;
  end;
end;

-- The coordinator. ---------------------------------------------------------

function decision() : Order;
begin
  switch coordinator.outcome
    case Commit: return DoCommit;
    case Abort:  return DoAbort;
    else         return Prepare;
  end;
end;

ruleset n : Node do
  -- For the first time, or again. Nothing is asked for that is known.
  rule "send"
    isundefined(order[n]) & isundefined(answer[n]) & !coordinator.done[n] &
    (coordinator.outcome = Open -> !coordinator.voted[n])
  ==>
    order[n] := decision();
  end;

  rule "hear an answer" !isundefined(answer[n]) ==>
    switch answer[n]
      case Yes:
        coordinator.voted[n] := true;
      case No:
        assert coordinator.outcome != Commit "no, after all have said yes";
        coordinator.outcome := Abort;
      case Done:
        coordinator.done[n] := true;
    end;
    undefine answer[n];
  end;
end;

rule "commit" coordinator.outcome = Open & forall n : Node do coordinator.voted[n] end ==>
  coordinator.outcome := Commit;
end;

rule "lose patience" coordinator.outcome = Open ==>
  coordinator.outcome := Abort;
end;

-- The participants. --------------------------------------------------------

ruleset n : Node; willing : boolean do
  rule "vote" node[n].up & !isundefined(order[n]) & order[n] = Prepare & node[n].log = Empty ==>
    node[n].log := willing ? Prepared : Aborted;
    answer[n] := willing ? Yes : No;
    undefine order[n];
  end;
end;

ruleset n : Node do
  alias me : node[n] do

    rule "repeat the vote" me.up & !isundefined(order[n]) & order[n] = Prepare & me.log != Empty ==>
      if me.log = Prepared then answer[n] := Yes; else answer[n] := No; end;
      undefine order[n];
    end;

    rule "obey" me.up & !isundefined(order[n]) & order[n] != Prepare ==>
      if order[n] = DoCommit then
        if me.log != Prepared & me.log != Committed then
          error "commit without having voted for it";
        end;
        me.log := Committed;
      else
        if me.log = Committed then error "abort after commit"; end;
        me.log := Aborted;
      end;
      answer[n] := Done;
      undefine order[n];
    end;

    rule "crash" me.up ==>
      me.up := false;
    end;

    rule "lose a message" !me.up & !isundefined(order[n]) ==>
      undefine order[n];
    end;

    -- Who has promised nothing is free to abort.
    rule "recover" !me.up ==>
      me.up := true;
      if me.log = Empty then me.log := Aborted; end;
    end;
  end;
end;

invariant "all do the same"
  forall m : Node do forall n : Node do
    node[m].log = Committed -> node[n].log = Committed | node[n].log = Prepared
  end end;

invariant "the outcome is that of the coordinator"
  forall n : Node do
    (node[n].log = Committed -> coordinator.outcome = Commit) &
    (node[n].log = Aborted -> coordinator.outcome != Commit)
  end;
