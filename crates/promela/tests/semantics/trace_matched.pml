/* expect: holds; states: 7; transitions: 6 */
/* An event trace that is kept; its position is part of the state. */
chan c = [1] of { byte };
byte r;
active proctype P() { c!1; c!2 }
active proctype Q() { c?r; c?r }
trace { do :: c!1; c!2 od }
