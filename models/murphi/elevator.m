-- expect: holds; states: 2132; transitions: 3442
-- An elevator whose controller is faster than the people.
--
-- Rules have priorities: of those that are possible, only the ones with the
-- least number are used. Here 1 is for the controller, which reacts at once;
-- 2 is for the machinery, which takes some time; the people, with 3, press
-- buttons only while the machinery has nothing to do or waits at an open door.
-- Without priorities there would be many more states, in which the controller
-- has not yet noticed something.

const
  FLOORS : 6;

type
  Floor   : 0 .. FLOORS - 1;
  Heading : enum { Up, Down, Nowhere };
  Doors   : enum { Closed, Opening, Open, Closing };

var
  at      : Floor;
  called  : array [Floor] of boolean;
  heading : Heading;
  doors   : Doors;
  idle    : boolean;                       -- the controller has nothing to do

startstate "at the ground floor"
  at := 0;
  heading := Nowhere;
  doors := Closed;
  idle := true;
  for f : Floor do called[f] := false; end;
end;

function wanted_above() : boolean;
begin
  return exists f : Floor do f > at & called[f] end;
end;

function wanted_below() : boolean;
begin
  return exists f : Floor do f < at & called[f] end;
end;

-- Goes on in the same direction as long as there is a reason to.
procedure choose_heading();
begin
  switch heading
    case Up:
      if !wanted_above() then heading := wanted_below() ? Down : Nowhere; end;
    case Down:
      if !wanted_below() then heading := wanted_above() ? Up : Nowhere; end;
    case Nowhere:
      if wanted_above() then
        heading := Up;
      elsif wanted_below() then
        heading := Down;
      end;
  end;
end;

-- The controller.

rule 1 "decide" !idle & doors = Closed ==>
  if called[at] then
    doors := Opening;
  else
    choose_heading();
  end;
  idle := true;
end;

-- The machinery.

rule 2 "move" doors = Closed & heading != Nowhere ==>
  at := heading = Up ? at + 1 : at - 1;    -- the range says: never too far
  idle := false;
end;

rule 2 "the doors open" doors = Opening ==>
  doors := Open;
  called[at] := false;
end;

rule 2 "the doors close" doors = Closing ==>
  doors := Closed;
  idle := false;
end;

-- The people.

ruleset f : Floor do
  rule 3 "call" !called[f] & !(f = at & doors = Open) ==>
    called[f] := true;
    if doors = Closed then idle := false; end;
  end;
end;

rule 3 "get in and out" doors = Open ==>
  doors := Closing;
end;

invariant "it moves only with closed doors and for a reason"
  doors = Closed & idle & heading != Nowhere -> wanted_above() | wanted_below();

invariant "nobody is forgotten"
  idle & doors = Closed & heading = Nowhere -> forall f : Floor do !called[f] end;
