-- expect: holds; states: 944; transitions: 2264
-- Dijkstra's self-stabilising token ring: from any state to one token.
--
-- Each machine on a ring has a counter and looks at its left neighbour's.
-- Machine 0 has the token if both are equal, and passes it on by counting up;
-- each other has it if they differ, and passes it on by copying. Whatever the
-- counters are at first (there may be many tokens, after some accident),
-- after a while just one token goes around, for ever.
--
-- Every assignment of counters is a start state. `moves` counts the moves up
-- to the first state with one token, in the worst of all orders: its range is
-- the claim that MOVES are always enough. (Try one less.)

const
  MACHINES : 4;
  COUNTS   : 4;                          -- with 3 it still works, with 2 not
  MOVES    : 13;

type
  Machine : 0 .. MACHINES - 1;
  Counter : 0 .. COUNTS - 1;

var
  counter : array [Machine] of Counter;
  stable  : boolean;                     -- there was one token, at some time
  moves   : 0 .. MOVES;

function has_token(m : Machine) : boolean;
begin
  if m = 0 then
    return counter[0] = counter[MACHINES - 1];
  else
    return counter[m] != counter[m - 1];
  end;
end;

function tokens() : 0 .. MACHINES;
  var n : 0 .. MACHINES;
begin
  n := 0;
  for m : Machine do
    if has_token(m) then n := n + 1; end;
  end;
  return n;
end;

-- Notes whether this is a good state.
procedure watch();
begin
  if tokens() = 1 then
    stable := true;
    moves := 0;                          -- it no longer matters
  end;
end;

ruleset a : Counter; b : Counter; c : Counter; d : Counter do
  startstate "after an accident"
    counter[0] := a;
    counter[1] := b;
    counter[2] := c;
    counter[3] := d;
    stable := false;
    moves := 0;
    watch();
  end;
end;

ruleset m : Machine do
  rule "pass the token on" has_token(m) ==>
    if m = 0 then
      counter[0] := (counter[0] + 1) % COUNTS;
    else
      counter[m] := counter[m - 1];
    end;
    if !stable then moves := moves + 1; end;
    watch();
  end;
end;

invariant "the token is never lost"
  tokens() > 0;

invariant "once stable, always stable"
  stable -> tokens() = 1;
