-- expect: violated invariant
-- The towers of Hanoi. The counterexample is the solution.
--
-- The invariant says that the puzzle has no solution. Breadth-first search
-- refutes it with a shortest one: 2^DISCS - 1 moves.

const
  DISCS : 5;
  PEGS  : 3;

type
  Disc : 1 .. DISCS;                       -- the smallest is 1
  Peg  : 1 .. PEGS;

var
  on : array [Disc] of Peg;

-- Finds the uppermost disc of a peg. Returns whether there is any.
function find_top(p : Peg; var top : Disc) : boolean;
  var d : 1 .. DISCS + 1;
begin
  d := 1;
  while d <= DISCS & on[d] != p do d := d + 1; end;
  if d > DISCS then return false; end;
  top := d;
  return true;
end;

-- Whether the uppermost disc may go from one peg to the other.
function may_move(a : Peg; b : Peg) : boolean;
  var x, y : Disc;
begin
  if !find_top(a, x) then return false; end;
  if !find_top(b, y) then return true; end;
  return x < y;
end;

startstate "a tower on the first peg"
  for d : Disc do on[d] := 1; end;
end;

ruleset a : Peg; b : Peg do
  rule "move a disc" may_move(a, b) ==>
    var top : Disc;
  begin
    if find_top(a, top) then on[top] := b; end;
  end;
end;

invariant "the tower never gets to the last peg"
  exists d : Disc do on[d] != PEGS end;
