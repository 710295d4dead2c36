/* expect: rejected */
/* Why: "use of priorities cannot be combined with rendezvous" (said by pan.c,
   in an #error). */
chan c = [0] of { byte };
byte x;
active proctype Low() priority 1 { x = 1; c?x; x = 2 }
active proctype High() priority 5 { c!7; x = 10 }
