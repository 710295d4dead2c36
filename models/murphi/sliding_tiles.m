-- expect: holds; states: 181440; transitions: 483840
-- The eight-puzzle: eight tiles and a hole in a square of three by three.
--
-- Half of the 9! arrangements can be reached from any other, the other half
-- cannot; this is because every move keeps a certain parity. The invariant
-- states that, and the checker counts the half: 181,440 states.

const
  SIDE : 3;

type
  Coord     : 0 .. SIDE - 1;
  Square    : 0 .. SIDE * SIDE - 1;
  Tile      : 0 .. SIDE * SIDE - 1;        -- 0 is the hole
  Direction : enum { North, South, West, East };

var
  board : array [Coord] of array [Coord] of Tile;
  row   : Coord;                           -- where the hole is
  col   : Coord;

startstate "in order"
  for r : Coord do
    for c : Coord do
      board[r][c] := r * SIDE + c;
    end;
  end;
  row := 0;
  col := 0;
end;

function movable(d : Direction) : boolean;
begin
  switch d
    case North: return row > 0;
    case South: return row < SIDE - 1;
    case West:  return col > 0;
    case East:  return col < SIDE - 1;
  end;
end;

procedure swap(var a : Tile; var b : Tile);
  var t : Tile;
begin
  t := a;
  a := b;
  b := t;
end;

ruleset d : Direction do
  rule "move the hole" movable(d) ==>
    var r, c : Coord;
  begin
    r := row;
    c := col;
    switch d
      case North: row := row - 1;
      case South: row := row + 1;
      case West:  col := col - 1;
      case East:  col := col + 1;
    end;
    swap(board[r][c], board[row][col]);
  end;
end;

function tile(s : Square) : Tile;
begin
  return board[s / SIDE][s % SIDE];
end;

-- Whether the tiles, read row by row, have an even number of pairs in the
-- wrong order. With an odd side only the tiles count, not the hole.
function even() : boolean;
  var result : boolean;
begin
  result := true;
  for i : Square do
    for j : Square do
      if i < j & tile(i) != 0 & tile(j) != 0 & tile(i) > tile(j) then
        result := !result;
      end;
    end;
  end;
  return result;
end;

invariant "the hole is where it is believed to be"
  board[row][col] = 0;

invariant "parity"
  even();
