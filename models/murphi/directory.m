-- expect: holds; states: 1884; transitions: 5938; unreduced: 9980
-- A directory protocol: no bus, a home node that knows who holds what.
--
-- Every processor talks to the home by three channels, so that answers never
-- wait behind requests: one slot for a request, one slot for a response, and
-- a FIFO of two messages from the home. The home serves one request at a
-- time; before it grants the line it recalls the copies that stand in the
-- way. A shared copy may be dropped without a word. A modified one goes home
-- with `GoHome`, which can cross a recall: then the former is the answer to it.

const
  PROCS : 3;
  DEPTH : 2;

type
  Proc    : scalarset(PROCS);
  Value   : 0..1;
  Cell    : enum { Gone, Copy, Own, WantCopy, WantOwn, CopyWantOwn, Leaving };
  Kind    : enum { GetCopy, GetOwn,                    -- requests
                   Yield, GoHome,                         -- responses
                   GrantCopy, GrantOwn, Recall, GoneHome };  -- from the home
  Message : record kind : Kind; data : Value; end;     -- data may be undefined
  Length  : 0..DEPTH;
  Fifo    : record
    length : Length;
    slot   : array [0 .. DEPTH - 1] of Message;
  end;

var
  proc     : array [Proc] of record cell : Cell; data : Value; end;
  request  : array [Proc] of Message;
  response : array [Proc] of Message;
  answer   : array [Proc] of Fifo;

  memory   : Value;
  sharer   : array [Proc] of boolean;      -- may have a copy
  owner    : Proc;                         -- undefined: nobody
  client   : Proc;                         -- whose request is served; undefined: idle
  recalled : array [Proc] of boolean;      -- who has yet to answer

  latest   : Value;                        -- for the invariants only

-- The network. -------------------------------------------------------------

procedure push(var fifo : Fifo; kind : Kind);
begin
  assert fifo.length < DEPTH "no room for an answer";
  fifo.slot[fifo.length].kind := kind;
  if kind = GrantCopy | kind = GrantOwn then
    fifo.slot[fifo.length].data := memory;
  end;
  fifo.length := fifo.length + 1;
end;

-- Takes the first message out and returns its kind; its data go to `data`.
function pop(var fifo : Fifo; var data : Value) : Kind;
  var first : Kind;
begin
  first := fifo.slot[0].kind;
  if !isundefined(fifo.slot[0].data) then data := fifo.slot[0].data; end;
  for i := 1 to DEPTH - 1 do fifo.slot[i - 1] := fifo.slot[i]; end;
  undefine fifo.slot[DEPTH - 1];
  fifo.length := fifo.length - 1;
  return first;
end;

procedure respond(p : Proc; kind : Kind; with_data : boolean);
begin
  assert isundefined(response[p].kind) "the response channel is taken";
  response[p].kind := kind;
  if with_data then response[p].data := proc[p].data; end;
  undefine proc[p].data;
end;

startstate "the line is at home"
  undefine proc; undefine request; undefine response; undefine answer;
  for p : Proc do
    proc[p].cell := Gone;
    answer[p].length := 0;
    sharer[p] := false;
    recalled[p] := false;
  end;
  memory := 0;
  latest := 0;
  undefine owner;
  undefine client;
end;

-- The processors. ----------------------------------------------------------

ruleset p : Proc do
  alias me : proc[p] do

    rule "want a copy" me.cell = Gone & isundefined(request[p].kind) ==>
      me.cell := WantCopy;
      request[p].kind := GetCopy;
    end;

    rule "want to own" (me.cell = Gone | me.cell = Copy) & isundefined(request[p].kind) ==>
      me.cell := me.cell = Gone ? WantOwn : CopyWantOwn;
      request[p].kind := GetOwn;
    end;

    rule "drop a copy" me.cell = Copy ==>
      me.cell := Gone;
      undefine me.data;
    end;

    rule "send the line home" me.cell = Own & isundefined(response[p].kind) ==>
      respond(p, GoHome, true);
      me.cell := Leaving;
    end;

    rule "store" me.cell = Own ==>
      me.data := 1 - me.data;
      latest := me.data;
    end;

    rule "hear from the home"
      answer[p].length > 0 & (answer[p].slot[0].kind != Recall | isundefined(response[p].kind))
    ==>
      var kind : Kind;
    begin
      kind := pop(answer[p], me.data);
      switch kind
        case GrantCopy:
          assert me.cell = WantCopy;
          me.cell := Copy;
        case GrantOwn:
          assert me.cell = WantOwn | me.cell = CopyWantOwn;
          me.cell := Own;
        case GoneHome:
          assert me.cell = Leaving;
          me.cell := Gone;
        case Recall:
          switch me.cell
            case Leaving:                        -- the GoHome is under way
            case Own:         me.cell := Gone; respond(p, Yield, true);
            case Copy:        me.cell := Gone; respond(p, Yield, false);
            case CopyWantOwn: me.cell := WantOwn; respond(p, Yield, false);
            else              respond(p, Yield, false);
          end;
        else error "this is no message for a processor";
      end;
    end;
  end;
end;

-- The home. ----------------------------------------------------------------

ruleset p : Proc do
  rule "start on a request" isundefined(client) & !isundefined(request[p].kind) ==>
    client := p;
    for q : Proc do
      if q != p & !isundefined(owner) & owner = q
       | q != p & sharer[q] & request[p].kind = GetOwn then
        recalled[q] := true;
        push(answer[q], Recall);
      end;
    end;
  end;

  rule "hear a response" !isundefined(response[p].kind) ==>
    if !isundefined(response[p].data) then memory := response[p].data; end;
    if response[p].kind = GoHome then push(answer[p], GoneHome); end;
    if !isundefined(owner) & owner = p then undefine owner; end;
    sharer[p] := false;
    recalled[p] := false;
    undefine response[p];
  end;
end;

rule "grant" !isundefined(client) & forall q : Proc do !recalled[q] end ==>
  if request[client].kind = GetCopy then
    sharer[client] := true;
    push(answer[client], GrantCopy);
  else
    sharer[client] := false;
    owner := client;
    push(answer[client], GrantOwn);
  end;
  undefine request[client];
  undefine client;
end;

function has_copy(p : Proc) : boolean;
begin
  return proc[p].cell = Copy | proc[p].cell = CopyWantOwn;
end;

invariant "an owner is alone"
  forall p : Proc do forall q : Proc do
    p != q & proc[p].cell = Own -> proc[q].cell != Own & !has_copy(q)
  end end;

invariant "no copy is stale"
  forall p : Proc do
    proc[p].cell = Own | has_copy(p) -> proc[p].data = latest
  end;
