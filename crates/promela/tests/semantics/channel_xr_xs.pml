/* expect: holds; states: 7; transitions: 6 */
/* xr and xs claims are kept: nothing changes. */
chan c = [1] of { byte };
byte r;
active proctype P() { xs c; c!1; c!2 }
active proctype Q() { xr c; c?r; c?r }
