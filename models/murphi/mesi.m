-- expect: holds
-- MESI: caches that keep one line coherent by listening to a shared bus.
--
-- A cache that lacks the right to do what its processor asks raises a wish.
-- The bus serves one wish at a time: it first asks every other cache in turn
-- (in any order) to snoop, then lets the master take the line. Because other
-- caches go on working while their turn has not come, the interesting races
-- are between stores, evictions and the snoops of a transaction under way,
-- and an upgrade can lose its copy while it waits for the bus.
--
-- The data are one bit; `latest` is what the last store wrote, and is there
-- only for the invariants.

const
  CACHES : 3;

type
  Cache : scalarset(CACHES);
  Value : 0..1;
  Line  : enum { Invalid, Shared, Exclusive, Modified };
  Wish  : enum { Nothing, BusRead, BusReadExclusive, BusUpgrade };

var
  cache  : array [Cache] of record
             line : Line;
             data : Value;          -- undefined while Invalid
             wish : Wish;
           end;
  bus    : record
             busy    : boolean;
             master  : Cache;       -- these are undefined while not busy
             wish    : Wish;
             shared  : boolean;     -- the wire "I have a copy, too"
             silent  : array [Cache] of boolean;  -- who has yet to snoop
           end;
  memory : Value;
  latest : Value;

procedure release_bus();
begin
  undefine bus;
  bus.busy := false;
end;

procedure drop(var c : record line : Line; data : Value; wish : Wish; end);
begin
  c.line := Invalid;
  undefine c.data;
end;

startstate "all caches cold"
  for c : Cache do
    cache[c].wish := Nothing;
    drop(cache[c]);
  end;
  release_bus();
  memory := 0;
  latest := 0;
end;
