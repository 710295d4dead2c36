-- expect: holds; states: 50; transitions: 232; unreduced: 663
-- A readers-writer lock that prefers writers.
--
-- The lock is a few words under a mutex, which is modelled by making every
-- operation one rule. Readers share; a writer is alone; and as soon as one
-- writer waits, no further reader gets in. When the last reader or the writer
-- leaves, the lock is handed to a waiting writer directly, so that nobody can
-- slip in between. The waiting readers are all let in together when no writer
-- is left.

const
  READERS : 4;
  WRITERS : 3;

type
  Reader : scalarset(READERS);
  Writer : scalarset(WRITERS);
  Where  : enum { Outside, Waiting, Inside };
  Count  : 0 .. READERS + WRITERS;

var
  reader  : array [Reader] of Where;
  writer  : array [Writer] of Where;
  reading : Count;                   -- what the lock knows: readers inside,
  writing : boolean;                 -- a writer is inside,
  queued  : Count;                   -- writers that wait

startstate "free"
  for r : Reader do reader[r] := Outside; end;
  for w : Writer do writer[w] := Outside; end;
  reading := 0;
  writing := false;
  queued := 0;
end;

-- Lets in all readers that wait.
procedure admit_readers();
begin
  for r : Reader do
    if reader[r] = Waiting then
      reader[r] := Inside;
      reading := reading + 1;
    end;
  end;
end;

ruleset r : Reader do
  rule "a reader asks" reader[r] = Outside ==>
    if writing | queued > 0 then
      reader[r] := Waiting;
    else
      reader[r] := Inside;
      reading := reading + 1;
    end;
  end;
end;

ruleset w : Writer do
  rule "a writer asks" writer[w] = Outside ==>
    if writing | reading > 0 then
      writer[w] := Waiting;
      queued := queued + 1;
    else
      writer[w] := Inside;
      writing := true;
    end;
  end;
end;

-- Leaving comes in two kinds: with a successor, which may be any of the
-- writers that wait, and without. Two parameters: who leaves and who follows.

ruleset r : Reader; w : Writer do
  rule "the last reader hands over" reader[r] = Inside & reading = 1 & writer[w] = Waiting ==>
    reader[r] := Outside;
    reading := 0;
    writer[w] := Inside;
    queued := queued - 1;
    writing := true;
  end;
end;

ruleset r : Reader do
  rule "a reader leaves" reader[r] = Inside & (reading > 1 | queued = 0) ==>
    reader[r] := Outside;
    reading := reading - 1;
  end;
end;

ruleset v : Writer; w : Writer do
  rule "a writer hands over" writer[v] = Inside & writer[w] = Waiting ==>
    writer[v] := Outside;
    writer[w] := Inside;
    queued := queued - 1;
  end;
end;

ruleset v : Writer do
  rule "the last writer leaves" writer[v] = Inside & queued = 0 ==>
    writer[v] := Outside;
    writing := false;
    admit_readers();
  end;
end;

invariant "writers are alone"
  forall w : Writer do
    writer[w] = Inside ->
      reading = 0 & forall v : Writer do v != w -> writer[v] != Inside end
  end;

invariant "what the lock knows is true"
  (reading = 0 -> forall r : Reader do reader[r] != Inside end) &
  (writing = exists w : Writer do writer[w] = Inside end) &
  (queued = 0 -> forall w : Writer do writer[w] != Waiting end);

invariant "nobody waits in vain"
  (exists r : Reader do reader[r] = Waiting end | exists w : Writer do writer[w] = Waiting end)
  -> reading > 0 | writing;
