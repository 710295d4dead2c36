/* expect: accepted */
/* Why: c never gets a channel, so it has no fields: "too many pars in send". */
chan c;
active proctype P() { c!1 }
