/* expect: violated deadlock; states: 1; transitions: 0; errors: 1 */
/* A process never shakes hands with itself: it deadlocks. */
chan c = [0] of { byte };
active proctype P() { byte v; do :: c!1 :: c?v od }
