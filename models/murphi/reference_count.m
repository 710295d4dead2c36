-- expect: violated error
-- A reference count that is read too late.
--
-- A shared slot points to an object, and counts as one reference to it. A
-- thread that wants the object loads the pointer, then adds one to the count:
-- two steps. In between somebody may replace what the slot points to and drop
-- the last reference, so that the object is freed. That is why hazard
-- pointers, epochs and read-copy-update exist.
--
-- Objects come from a small heap and are made again after they were freed, so
-- that the late thread may also hit the next object in the same place.

const
  THREADS : 2;
  PLACES  : 2;

type
  Thread : scalarset(THREADS);
  Place  : scalarset(PLACES);
  Count  : 0 .. THREADS + 1;

var
  count : array [Place] of Count;          -- undefined: the place is free
  slot  : Place;                           -- what everybody can find
  seen  : array [Thread] of Place;         -- loaded, but not counted yet
  held  : array [Thread] of Place;         -- counted

-- Adds a reference, and refuses to do so for an object that is gone.
procedure acquire(place : Place);
begin
  if isundefined(count[place]) then
    error "use after free";
  end;
  count[place] := count[place] + 1;
end;

-- Drops a reference; the last one frees the object.
procedure release(place : Place);
begin
  if isundefined(count[place]) then
    error "double free";
  elsif count[place] = 1 then
    undefine count[place];
  else
    count[place] := count[place] - 1;
  end;
end;

ruleset first : Place do
  startstate "one object"
    undefine count;
    undefine seen;
    undefine held;
    slot := first;
    count[first] := 1;
  end;
end;

ruleset t : Thread do
  rule "load the pointer" isundefined(seen[t]) & isundefined(held[t]) ==>
    seen[t] := slot;
  end;

  rule "count it" !isundefined(seen[t]) ==>
    acquire(seen[t]);
    held[t] := seen[t];
    undefine seen[t];
  end;

  rule "let go" !isundefined(held[t]) ==>
    release(held[t]);
    undefine held[t];
  end;
end;

-- Any thread does that; it does not matter which.
ruleset fresh : Place do
  rule "replace the object" isundefined(count[fresh]) ==>
    count[fresh] := 1;
    release(slot);
    slot := fresh;
  end;
end;

invariant "the slot is never empty"
  !isundefined(count[slot]);
