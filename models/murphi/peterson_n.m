-- expect: holds; states: 11528; transitions: 96208; unreduced: 268032
-- Peterson's algorithm for n processes (the filter lock).
--
-- There are n - 1 waiting rooms, one behind the other. Who enters a room signs
-- in as its victim, and may go on to the next if somebody else has signed in
-- since, or if nobody else is in this room or further on. So every room holds
-- one process back, and only one leaves the last room: for the critical
-- section.
--
-- Every access to a shared variable is a step of its own, including each of
-- the n - 1 looks at the others' positions: `seen` says who was looked at and
-- found behind.

const
  N : 4;

type
  Proc : scalarset(N);
  Room : 0 .. N;                          -- 0: not interested; N: critical
  At   : enum { Move, Sign, Look, Inside };

var
  room   : array [Proc] of Room;
  victim : array [1 .. N - 1] of Proc;
  at     : array [Proc] of At;
  seen   : array [Proc] of array [Proc] of boolean;

procedure forget(p : Proc);
begin
  for q : Proc do seen[p][q] := q = p; end;
end;

-- Past the door of a room: either there is another room, or this was the last.
procedure advance(p : Proc);
begin
  forget(p);
  at[p] := room[p] = N - 1 ? Inside : Move;
end;

startstate "all are outside"
  undefine victim;                        -- nobody has signed in yet
  for p : Proc do
    room[p] := 0;
    at[p] := Move;
    forget(p);
  end;
end;

ruleset p : Proc do
  rule "enter the next room" at[p] = Move ==>
    room[p] := room[p] + 1;
    at[p] := Sign;
  end;

  rule "sign in as the victim" at[p] = Sign ==>
    victim[room[p]] := p;
    at[p] := Look;
  end;

  rule "somebody else signed in" at[p] = Look & victim[room[p]] != p ==>
    advance(p);
  end;

  rule "the others are all behind" at[p] = Look & forall q : Proc do seen[p][q] end ==>
    advance(p);
  end;

  rule "leave" at[p] = Inside ==>
    room[p] := 0;
    at[p] := Move;
  end;
end;

-- One look at one other process. If it is as far as oneself, start over.
ruleset p : Proc; q : Proc do
  rule "look at another" at[p] = Look & !seen[p][q] ==>
    if room[q] < room[p] then
      seen[p][q] := true;
    else
      forget(p);
    end;
  end;
end;

invariant "mutual exclusion"
  forall p : Proc do forall q : Proc do
    at[p] = Inside & at[q] = Inside -> p = q
  end end;
