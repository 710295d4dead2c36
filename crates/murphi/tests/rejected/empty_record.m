-- error: this record has no fields
var x : record end;
startstate begin end;
rule begin end;
