-- accepted: declarations and routines may be mixed
procedure p(); begin end
const N : 2
var x : 0..N
function f() : 0..N; return N; end
startstate x := f() end
rule p() end
