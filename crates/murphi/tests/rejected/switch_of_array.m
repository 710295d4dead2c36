-- error: `switch` needs a simple value
var x : array [0..3] of boolean;
startstate begin clear x; end;
rule begin switch x case true: end; end;
