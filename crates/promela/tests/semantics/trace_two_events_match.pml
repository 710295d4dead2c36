/* expect: violated abort */
chan c = [2] of { byte };
trace { do :: c!1 :: c!_ od }
init { c!2; c!1; c!3 }
