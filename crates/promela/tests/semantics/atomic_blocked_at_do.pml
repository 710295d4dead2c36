/* expect: holds; states: 10; transitions: 11 */
/* The loop inside the atomic blocks at its head, several times. */
chan c = [1] of { byte };
byte s;
active proctype P() { byte v; atomic { s = 1; do :: c?v -> s = s + v :: s > 3 -> break od; s = 0 } }
active proctype Q() { c!1; c!2 }
