/* expect: holds; states: 15; transitions: 14 */
/* The position in the trace is part of the state: the same program state
   with two histories counts twice. */
chan c = [1] of { byte };
byte r;
active proctype P() { if :: c!1; c?r; c!2; c?r :: c!2; c?r; c!1; c?r fi; r = 0; r = 0 }
trace { do :: c!1 :: c!2; c!1; break od; c!9 }
