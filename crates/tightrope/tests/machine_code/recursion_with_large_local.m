var x: 0..1;
procedure f(n: 0..2000); var a: array [0..19999999] of 0..255; begin a[0]:=1; f(n); end;
 startstate begin x := 0; end; rule "r" begin f(1); x:=1-x; end;
