-- expect: holds; states: 10852; transitions: 63706; unreduced: 58881
-- Paxos for one decision: ballots compete, at most one value is chosen.
--
-- For each ballot there is one proposer, which wants its own value. It first
-- asks the acceptors to promise to ignore smaller ballots. They answer with
-- what they have voted for most recently. With promises from a majority the
-- proposer asks for votes: for the most recent of the values it was told, or
-- for its own if there is none. A value is chosen if a majority has voted for
-- it in one ballot.
--
-- The network is a multiset: messages are lost and overtake each other.

const
  ACCEPTORS : 3;
  MAJORITY  : 2;
  BALLOTS   : 2;
  ROOM      : 6;

type
  Acceptor : scalarset(ACCEPTORS);
  Ballot   : 1 .. BALLOTS;
  Value    : 1 .. BALLOTS;               -- the value that a ballot would like
  Quorum   : array [Acceptor] of boolean;
  Kind     : enum { Prepare, Promise, Vote };
  Message  : record
    kind     : Kind;
    ballot   : Ballot;
    acceptor : Acceptor;                 -- the receiver, or who promises
    voted    : Ballot;                   -- undefined in a promise: not yet
    value    : Value;
  end;

var
  net      : multiset [ROOM] of Message;
  acceptor : array [Acceptor] of record
    promised : Ballot;
    voted    : Ballot;                   -- undefined: has not voted
    value    : Value;
  end;
  proposer : array [Ballot] of record
    started  : boolean;
    asked    : boolean;                  -- for votes
    promised : Quorum;
    voted    : Ballot;                   -- the most recent vote reported,
    value    : Value;                    -- and what it was for
  end;
  votes    : array [Ballot] of Quorum;   -- for the invariant, as is
  asked    : array [Ballot] of Value;    -- this

procedure post(kind : Kind; ballot : Ballot; receiver : Acceptor; value : Value);
  var m : Message;
begin
  undefine m;
  m.kind := kind;
  m.ballot := ballot;
  m.acceptor := receiver;
  if kind = Vote then m.value := value; end;
  multisetadd(m, net);
end;

function majority(var set : Quorum) : boolean;
  var n : 0 .. ACCEPTORS;
begin
  n := 0;
  for a : Acceptor do
    if set[a] then n := n + 1; end;
  end;
  return n >= MAJORITY;
end;

procedure begin_anew();
begin
  undefine net; undefine acceptor; undefine proposer; undefine asked;
  for b : Ballot do
    proposer[b].started := false;
    proposer[b].asked := false;
    for a : Acceptor do
      proposer[b].promised[a] := false;
      votes[b][a] := false;
    end;
  end;
end;

startstate "nobody has proposed"
  begin_anew();
end;

-- Room is left for the answers to come.
ruleset b : Ballot do
  alias me : proposer[b] do

    rule "start a ballot" !me.started & multisetcount(i : net, true) <= ROOM - ACCEPTORS ==>
      me.started := true;
      for a : Acceptor do post(Prepare, b, a, b); end;
    end;

    rule "ask for votes"
      !me.asked & majority(me.promised) & multisetcount(i : net, true) <= ROOM - ACCEPTORS
    ==>
      me.asked := true;
      asked[b] := isundefined(me.voted) ? b : me.value;
      for a : Acceptor do
        post(Vote, b, a, asked[b]);
        me.promised[a] := false;         -- no longer needed
      end;
      undefine me.voted;
      undefine me.value;
      -- Promises that come too late would not be looked at.
      multisetremovepred(i : net, net[i].kind = Promise & net[i].ballot = b);
    end;
  end;
end;

choose i : net do
  rule "an acceptor promises" net[i].kind = Prepare ==>
    var m : Message;
  begin
    m := net[i];
    multisetremove(i, net);
    alias a : acceptor[m.acceptor] do
      if (isundefined(a.promised) | a.promised < m.ballot) & !proposer[m.ballot].asked then
        a.promised := m.ballot;
        m.kind := Promise;
        if !isundefined(a.voted) then
          m.voted := a.voted;
          m.value := a.value;
        end;
        multisetadd(m, net);
      end;
    end;
  end;

  rule "an acceptor votes" net[i].kind = Vote ==>
    alias m : net[i]; a : acceptor[net[i].acceptor] do
      if isundefined(a.promised) | a.promised <= m.ballot then
        a.promised := m.ballot;
        a.voted := m.ballot;
        a.value := m.value;
        votes[m.ballot][m.acceptor] := true;
      end;
    end;
    multisetremove(i, net);
  end;

  rule "a proposer hears a promise" net[i].kind = Promise ==>
    alias m : net[i]; me : proposer[net[i].ballot] do
      me.promised[m.acceptor] := true;
      if !isundefined(m.voted) then
        if isundefined(me.voted) | me.voted < m.voted then
          me.voted := m.voted;
          me.value := m.value;
        end;
      end;
    end;
    multisetremove(i, net);
  end;

  rule "a message is lost"
    multisetremove(i, net);
  end;
end;

-- Not a part of the protocol: there may be no majority, if messages are lost.
rule "the end"
  multisetcount(i : net, true) = 0 &
  forall b : Ballot do proposer[b].started & !majority(proposer[b].promised) end
==>
  begin_anew();
end;

invariant "two chosen values are the same"
  forall b : Ballot do forall c : Ballot do
    majority(votes[b]) & majority(votes[c]) -> asked[b] = asked[c]
  end end;
