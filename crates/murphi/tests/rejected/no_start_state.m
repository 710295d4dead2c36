-- error: the model has no start states
var x : 0..3;
rule begin end;
