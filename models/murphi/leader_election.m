-- expect: holds; states: 1988; transitions: 5032
-- Leader election on a one-way ring (Chang and Roberts).
--
-- Each node has an identity and knows only the link to its right. A node that
-- wakes up sends its identity around. A node passes larger identities on and
-- swallows smaller ones; who gets the own identity back is the leader, since
-- it has passed everybody. The leader's name then goes around once more.
--
-- All orders of the identities on the ring are start states: the n-th
-- permutation is worked out in `arrange`.

const
  NODES        : 4;
  PERMUTATIONS : 24;                     -- NODES!

type
  Node     : 0 .. NODES - 1;
  Identity : 1 .. NODES;
  Kind     : enum { Candidate, Elected };
  Message  : record kind : Kind; who : Identity; end;
  Link     : record                      -- what flows out of a node, in order
    length : 0 .. NODES;
    slot   : array [0 .. NODES - 1] of Message;
  end;

var
  identity : array [Node] of Identity;
  awake    : array [Node] of boolean;
  leader   : array [Node] of Identity;   -- whom the node believes in
  link     : array [Node] of Link;

procedure send(var l : Link; kind : Kind; who : Identity);
begin
  l.slot[l.length].kind := kind;
  l.slot[l.length].who := who;
  l.length := l.length + 1;
end;

procedure receive(var l : Link; var m : Message);
begin
  m := l.slot[0];
  for i := 1 to NODES - 1 do l.slot[i - 1] := l.slot[i]; end;
  undefine l.slot[NODES - 1];
  l.length := l.length - 1;
end;

-- Writes `number` in the factorial base; each digit chooses one of the
-- identities that are left.
procedure arrange(number : 0 .. PERMUTATIONS - 1);
  var
    used  : array [Identity] of boolean;
    rest  : 0 .. PERMUTATIONS;
    skip  : 0 .. NODES;
    next  : 1 .. NODES + 1;
begin
  for i : Identity do used[i] := false; end;
  rest := number;
  for n : Node do
    skip := rest % (NODES - n);
    rest := rest / (NODES - n);
    next := 1;
    while used[next] | skip > 0 do
      if !used[next] then skip := skip - 1; end;
      next := next + 1;
    end;
    used[next] := true;
    identity[n] := next;
  end;
end;

ruleset number : 0 .. PERMUTATIONS - 1 do
  startstate "asleep"
    undefine leader;
    undefine link;
    for n : Node do
      awake[n] := false;
      link[n].length := 0;
    end;
    arrange(number);
  end;
end;

ruleset n : Node do
  rule "wake up" !awake[n] ==>
    awake[n] := true;
    send(link[n], Candidate, identity[n]);
  end;

  alias left : link[(n + NODES - 1) % NODES] do
    rule "receive" left.length > 0 ==>
      var m : Message;
    begin
      receive(left, m);
      switch m.kind
        case Candidate:
          if m.who = identity[n] then
            leader[n] := m.who;
            send(link[n], Elected, m.who);
          elsif m.who > identity[n] then
            awake[n] := true;            -- too late for an own attempt
            send(link[n], Candidate, m.who);
          elsif !awake[n] then
            awake[n] := true;            -- somebody smaller wakes us
            send(link[n], Candidate, identity[n]);
          end;
        case Elected:
          if m.who != identity[n] then
            assert isundefined(leader[n]) "elected twice";
            leader[n] := m.who;
            send(link[n], Elected, m.who);
          end;
      end;
    end;
  end;
end;

rule "the election is over"
  forall n : Node do !isundefined(leader[n]) & link[n].length = 0 end
==>
  -- A new election; only the ring stays as it is.
  undefine leader;
  for n : Node do awake[n] := false; end;
end;

invariant "the largest of those who are awake leads"
  forall n : Node do
    !isundefined(leader[n]) ->
      forall m : Node do
        (!isundefined(leader[m]) -> leader[m] = leader[n]) & (awake[m] -> identity[m] <= leader[n])
      end
  end;
