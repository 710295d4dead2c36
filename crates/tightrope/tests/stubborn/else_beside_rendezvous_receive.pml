chan c = [1] of { byte }; chan r = [0] of { byte }; byte x;
active proctype P() { if :: r?x :: c!1 :: else -> x = 7 fi; assert(x != 7) }
active proctype Q() { r!2 }
active proctype S() { c!3 }
