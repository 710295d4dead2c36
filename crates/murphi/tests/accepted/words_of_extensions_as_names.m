-- accepted: only what the language uses is reserved
type real : 0..3;
var log, until, process, in, Floor : real;
startstate begin clear log; end;
rule log = until ==> begin in := 1; end;
