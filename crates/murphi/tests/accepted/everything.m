-- accepted: every construct once
const N : 3;
type
  Proc : scalarset(N);
  Kind : enum { req, ack };
  Val  : 0..N;
  Node : union { Proc, enum { home } };
  Msg  : record kind : Kind; src, dst : Node; val : Val; end;
var
  net  : multiset [N] of Msg;
  mem  : array [Proc] of record val : Val; busy : boolean; end;
  hops : array [Node] of array [boolean] of Val;
  cur  : Node;
procedure send(k : Kind; s, d : Node; v : Val);
  var m : Msg;
begin
  assert multisetcount(i : net, true) < N "net is full";
  undefine m;
  m.kind := k; m.src := s; m.dst := d; m.val := v;
  multisetadd(m, net);
end;
function busy() : 0..N;
  var n : 0..N;
begin
  n := 0;
  for p : Proc do if mem[p].busy then n := n + 1; end; end;
  return n;
end;
procedure swap(var a, b : Val);
  var t : Val;
begin t := a; a := b; b := t; end;
startstate "init"
  for p : Proc do mem[p].val := 0; mem[p].busy := false; end;
  for n : Node; b : boolean do hops[n][b] := 0; end;
  undefine net; cur := home;
end;
ruleset p : Proc; v : Val do
  alias me : mem[p]; limit : N - 1 do
    rule 2 "request" !me.busy & busy() < limit & multisetcount(i : net, net[i].dst = home) = 0 ==>
    begin
      me.busy := true; cur := p; send(req, p, home, v);
    end;
  end;
end;
choose i : net do
  alias m : net[i] do
    rule "receive" m.dst = home & ismember(m.src, Proc) ==>
      var to_whom : Node;
    begin
      to_whom := m.src;
      alias a : hops[to_whom][true]; b : mem[m.src].val do
        if a < N then a := a + 1; else a := 0; end;
        b := m.val;
        swap(a, b);
      end;
      if isundefined(m.val) then error "no value"; end;
      multisetremove(i, net);
      send(ack, home, to_whom, undefined);
    end;
  end;
end;
rule "drop" exists i := 0 to 2 by 2 do i = N | busy() > 0 end ==>
begin
  multisetremovepred(i : net, net[i].kind = ack);
  for p : Proc do mem[p].busy := false; end;
  while busy() > 0 do put "never\n"; put busy(); end;
  switch cur
    case home: clear hops[home];
    else cur := home;
  end;
  put cur;
end;
invariant "bounded" forall p : Proc do mem[p].val <= N end;
ruleset p : Proc do invariant mem[p].busy -> isundefined(cur) = false; end;
