-- error: a union consists of enums and scalarsets
type E : enum { a };
     T : 0..3;
     U : union { E, T };
var x : 0..3;
startstate begin x := 0; end;
rule begin end;
