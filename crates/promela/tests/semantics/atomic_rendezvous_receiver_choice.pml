/* expect: violated deadlock; states: 33; transitions: 54; errors: 2 */
/* The receiver blocks inside its atomic at a choice that has a receive. */
chan c = [0] of { byte };
byte x; bool go;
active proctype S() { x = 1; c!1; x = 2 }
active proctype R() { byte v; atomic { x = 5; if :: c?v -> x = 6 :: go -> x = 7 fi; x = 8 } }
active proctype T() { go = true }
