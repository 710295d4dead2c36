/* expect: holds; states: 5; transitions: 5 */
/* Any label that begins with end will do: endless, end_1. */
chan c = [1] of { byte };
active proctype S() { byte v; endless: c?v; end_1: c?v; assert(v == 2) }
active proctype T() { c!2 }
