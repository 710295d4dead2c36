-- expect: holds; states: 822; transitions: 2460; unreduced: 4728
-- One token for all, found by path reversal (after Naimi and Trehel).
--
-- Every node has a guess who asked for the token last: a pointer to another
-- node, or none if that was itself. A request travels along these pointers,
-- and every node on its way then points to the one who asks: the path is
-- reversed, and the next request finds a short way. Who is reached as the last
-- one gives the token away, or remembers the asker as its successor.
--
-- A node is either the home, where the token is at first, or one of several
-- remote nodes that are all alike: a union of an enumeration and a scalarset.
-- The network keeps no order; it is a multiset.

const
  REMOTES : 3;
  ROOM    : 5;                            -- in the network

type
  Remote  : scalarset(REMOTES);
  Node    : union { enum { Home }, Remote };
  Kind    : enum { Request, Token };
  Message : record
    kind  : Kind;
    dest  : Node;
    asker : Node;                          -- who asks; undefined for the token
  end;

var
  node : array [Node] of record
    last  : Node;                       -- who asked last; undefined: I did
    next  : Node;                       -- who gets the token after me
    wants : boolean;                    -- asked, or is using the token
    has   : boolean;                    -- has the token
  end;
  net  : multiset [ROOM] of Message;

procedure send(kind : Kind; receiver : Node);
  var m : Message;
begin
  undefine m;
  m.kind := kind;
  m.dest := receiver;
  multisetadd(m, net);
end;

procedure ask(receiver : Node; asker : Node);
  var m : Message;
begin
  m.kind := Request;
  m.dest := receiver;
  m.asker := asker;
  multisetadd(m, net);
end;

startstate "the token is at home"
  undefine net;
  undefine node;
  for n : Node do
    node[n].wants := false;
    node[n].has := ismember(n, Remote) ? false : true;
    if ismember(n, Remote) then node[n].last := Home; end;
  end;
end;

ruleset n : Node do
  alias me : node[n] do

    rule "want the token" !me.wants ==>
      me.wants := true;
      if !isundefined(me.last) then
        ask(me.last, n);
        undefine me.last;
      end;
    end;

    rule "finish with the token" me.wants & me.has ==>
      me.wants := false;
      if !isundefined(me.next) then
        me.has := false;
        send(Token, me.next);
        undefine me.next;
      end;
    end;
  end;
end;

choose i : net do
  alias m : net[i] do

    rule "get the token" m.kind = Token ==>
      assert node[m.dest].wants "the token came unasked";
      node[m.dest].has := true;
      multisetremove(i, net);
    end;

    rule "get a request" m.kind = Request ==>
      var here, asker : Node;
    begin
      here := m.dest;
      asker := m.asker;
      multisetremove(i, net);
      alias me : node[here] do
        if !isundefined(me.last) then
          ask(me.last, asker);            -- somebody else asked later
        elsif me.wants then
          assert isundefined(me.next) "two successors";
          me.next := asker;
        else
          assert me.has "the last one that asked has the token";
          me.has := false;
          send(Token, asker);
        end;
        me.last := asker;
      end;
    end;
  end;
end;

invariant "there is just one token"
  (exists n : Node do node[n].has end)
    ? multisetcount(i : net, net[i].kind = Token) = 0
    : multisetcount(i : net, net[i].kind = Token) = 1;

invariant "nobody else has it"
  forall n : Node do forall o : Node do node[n].has & node[o].has -> n = o end end;

invariant "who wants it has asked: some pointer leads on"
  exists n : Node do isundefined(node[n].last) end;
