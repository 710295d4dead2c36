-- expect: holds; states: 3324; transitions: 14538; unreduced: 60926
-- MESI: caches that keep one line coherent by listening to a shared bus.
--
-- A cache that lacks the right to do what its processor asks raises a wish.
-- The bus serves one wish at a time: every other cache snoops it, in any
-- order, then the master takes the line. The other caches go on working until
-- their turn to snoop comes. So the interesting races are between the stores
-- and evictions of one cache and the transaction of another; an upgrade may
-- even lose its copy while it waits for the bus.
--
-- The data are one bit. `latest` is what the last store wrote, and is there
-- only for the invariants.

const
  CACHES : 4;

type
  Cache : scalarset(CACHES);
  Value : 0..1;
  Line  : enum { Invalid, Shared, Exclusive, Modified };
  Wish  : enum { Nothing, BusRead, BusReadExclusive, BusUpgrade };
  Entry : record
    line : Line;
    data : Value;                              -- undefined while Invalid
    wish : Wish;
  end;

var
  cache  : array [Cache] of Entry;
  bus    : record
    busy   : boolean;
    master : Cache;                            -- undefined while not busy,
    wish   : Wish;                             -- as are the following
    shared : boolean;                          -- the wire "I have a copy, too"
    asked  : array [Cache] of boolean;         -- who has yet to snoop
  end;
  memory : Value;
  latest : Value;

procedure release_bus();
begin
  undefine bus;
  bus.busy := false;
end;

procedure drop(var c : Entry);
begin
  c.line := Invalid;
  undefine c.data;
end;

-- The memory is up to date again; what the cache keeps is its own affair.
procedure write_back(var c : Entry);
begin
  if c.line = Modified then memory := c.data; end;
end;

startstate "all caches are cold"
  for c : Cache do
    cache[c].wish := Nothing;
    drop(cache[c]);
  end;
  release_bus();
  memory := 0;
  latest := 0;
end;

-- What a processor does. ---------------------------------------------------

ruleset c : Cache do
  alias me : cache[c] do

    rule "load misses" me.line = Invalid & me.wish = Nothing ==>
      me.wish := BusRead;
    end;

    rule "store misses" me.line = Invalid & me.wish = Nothing ==>
      me.wish := BusReadExclusive;
    end;

    rule "store to a shared line" me.line = Shared & me.wish = Nothing ==>
      me.wish := BusUpgrade;
    end;

    rule "evict" me.line != Invalid & me.wish = Nothing ==>
      write_back(me);
      drop(me);
    end;
  end;
end;

ruleset c : Cache; v : Value do
  rule "store hits" cache[c].line = Exclusive | cache[c].line = Modified ==>
    cache[c].line := Modified;                 -- nobody needs to know
    cache[c].data := v;
    latest := v;
  end;
end;

-- What the bus does. -------------------------------------------------------

ruleset c : Cache do
  rule "grant the bus" !bus.busy & cache[c].wish != Nothing ==>
    bus.busy := true;
    bus.master := c;
    bus.shared := false;
    bus.wish := cache[c].wish;
    if bus.wish = BusUpgrade & cache[c].line = Invalid then
      bus.wish := BusReadExclusive;            -- somebody was faster
    end;
    for o : Cache do bus.asked[o] := o != c; end;
  end;

  rule "snoop" bus.busy & bus.asked[c] ==>
    bus.asked[c] := false;
    alias me : cache[c] do
      if me.line != Invalid then
        write_back(me);
        switch bus.wish
          case BusRead:
            me.line := Shared;
            bus.shared := true;
          case BusReadExclusive, BusUpgrade:
            drop(me);
        end;
      end;
    end;
  end;
end;

rule "finish a read" bus.busy & bus.wish = BusRead & forall c : Cache do !bus.asked[c] end ==>
  alias me : cache[bus.master] do
    me.data := memory;
    me.line := bus.shared ? Shared : Exclusive;
    me.wish := Nothing;
  end;
  release_bus();
end;

ruleset v : Value do
  rule "finish a store" bus.busy & bus.wish != BusRead & forall c : Cache do !bus.asked[c] end ==>
    alias me : cache[bus.master] do
      assert bus.wish = BusReadExclusive | me.line = Shared "an upgrade needs a copy";
      me.data := v;
      me.line := Modified;
      me.wish := Nothing;
    end;
    latest := v;
    release_bus();
  end;
end;

-- What must hold. ----------------------------------------------------------

invariant "an owner is alone"
  forall c : Cache do forall o : Cache do
    c != o & (cache[c].line = Exclusive | cache[c].line = Modified) -> cache[o].line = Invalid
  end end;

invariant "no copy is stale"
  forall c : Cache do cache[c].line != Invalid -> cache[c].data = latest end;

invariant "memory is stale only if somebody owns the line"
  memory = latest | exists c : Cache do cache[c].line = Modified end;
