/* expect: holds; states: 87; transitions: 121 */
/* Two senders race for one slot; a receiver counts. */
chan c = [1] of { pid };
byte n;
active [2] proctype S() { c!_pid; c!_pid }
active proctype R() { pid p; do :: n < 4 -> c?p; n++ :: n == 4 -> break od }
