/* expect: holds; states: 11; transitions: 11 */
/* What is left after a ?? from the middle is the same as if the message had
   never been there. */
chan c = [3] of { byte };
byte r;
active proctype P() { if :: c!1; c!2; c!3; c??2 :: c!1; c!3; r = 0; r = 0; r = 0 fi; r = 5 }
