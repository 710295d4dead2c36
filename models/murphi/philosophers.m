-- expect: violated deadlock
-- Dining philosophers: they take the left fork first, all of them.
--
-- Five philosophers sit around a table with a fork between each two. One who
-- is hungry takes the fork to the left, then the fork to the right, eats, and
-- puts both back. If all are hungry at the same time, each has one fork and
-- waits for the other: a deadlock.
--
-- Set LEFT_HANDED to false to let philosopher 0 begin with the right fork:
-- then there is no circle of those who wait, and the model holds.

const
  SEATS       : 5;
  LEFT_HANDED : true;

type
  Seat : 0 .. SEATS - 1;
  Mood : enum { Thinking, Hungry, Eating };

var
  mood : array [Seat] of Mood;
  fork : array [Seat] of Seat;            -- who has it; undefined: on the table

-- Fork i lies to the left of seat i; to the right lies that of the neighbour.
function first(s : Seat) : Seat;
begin
  return LEFT_HANDED | s != 0 ? s : (s + 1) % SEATS;
end;

function second(s : Seat) : Seat;
begin
  return LEFT_HANDED | s != 0 ? (s + 1) % SEATS : s;
end;

startstate
  undefine fork;
  for s : Seat do mood[s] := Thinking; end;
end;

ruleset s : Seat do
  alias
    mine  : fork[first(s)];
    other : fork[second(s)]
  do
    rule "take the first fork" mood[s] = Thinking & isundefined(mine) ==>
      mine := s;
      mood[s] := Hungry;
    end;

    rule "take the second fork" mood[s] = Hungry & isundefined(other) ==>
      other := s;
      mood[s] := Eating;
    end;

    rule "put both back" mood[s] = Eating ==>
      undefine mine;
      undefine other;
      mood[s] := Thinking;
    end;
  end;
end;

invariant "neighbours do not eat at the same time"
  forall s : Seat do mood[s] = Eating -> mood[(s + 1) % SEATS] != Eating end;
