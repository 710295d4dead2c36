-- error: there is no field `b`
var x : record a : boolean; end;
startstate begin x.b := true; end;
rule begin end;
