-- accepted: between declarations, fields, parameters and rules, as in Rumur
const
  N : 2
  M : N + 1
type
  T : 0..M - 1
  R : record
    a : T
    b, c : array [T] of boolean
  end
var
  x : T
  r : R
procedure p(var a : T b : boolean) begin a := 1 end
function f(a : T) : boolean begin return a = M end
startstate "s" clear x; clear r end
rule "a" x = 1 ==> p(x, true) endrule
ruleset i : T do rule r.b[i] ==> r.c[i] := f(i) end end
invariant x < M
invariant !r.b[0]
