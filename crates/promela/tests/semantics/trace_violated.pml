/* expect: violated event; states: 7; transitions: 6; errors: 1 */
/* An event trace that is broken by the second send. */
chan c = [1] of { byte };
byte r;
active proctype P() { c!1; c!3 }
active proctype Q() { c?r; c?r }
trace { do :: c!1; c!2 od }
