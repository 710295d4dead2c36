-- expect: violated assertion
-- The alternating-bit protocol, on a network it was not made for.
--
-- The sender repeats a frame until it is acknowledged; one bit tells new
-- frames from old. That is right if the network loses and repeats messages but
-- keeps their order. Here it is a multiset, which keeps none: an old frame can
-- turn up when its bit has come round again. The receiver takes it for a new
-- one, and the assertion that it gets the payloads one by one fails.

const
  PAYLOADS : 3;
  ROOM     : 2;                          -- in each direction

type
  Bit     : 0..1;
  Payload : 0 .. PAYLOADS - 1;
  Frame   : record bit : Bit; payload : Payload; end;
  Ack     : record bit : Bit; end;

var
  frames  : multiset [ROOM] of Frame;
  acks    : multiset [ROOM] of Ack;
  sending : Frame;                       -- what the sender is about
  expects : Frame;                       -- the bit, and the payload to come

procedure step(var f : Frame);
begin
  f.bit := 1 - f.bit;
  f.payload := (f.payload + 1) % PAYLOADS;
end;

startstate "nothing under way"
  undefine frames;
  undefine acks;
  clear sending;                         -- bit 0, payload 0
  expects := sending;
end;

rule "send, or send again" multisetcount(i : frames, true) < ROOM ==>
  multisetadd(sending, frames);
end;

choose i : frames do
  rule "receive a frame" multisetcount(j : acks, true) < ROOM ==>
    var a : Ack;
  begin
    a.bit := frames[i].bit;
    if frames[i].bit = expects.bit then
      assert frames[i].payload = expects.payload "an old frame taken for a new one";
      step(expects);
    end;
    multisetadd(a, acks);
    multisetremove(i, frames);
  end;

  rule "lose a frame"
    multisetremove(i, frames);
  end;
end;

choose i : acks do
  rule "receive an acknowledgement"
    if acks[i].bit = sending.bit then step(sending); end;
    multisetremove(i, acks);
  end;

  rule "lose an acknowledgement"
    multisetremove(i, acks);
  end;
end;
