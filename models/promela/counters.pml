/* expect: holds; states: 10000 */

/* Counters that know nothing of each other. Each goes through the values 0 to 9 for ever, so that every combination of
   values is reached: 10^N states, as regular as can be. What a set of states costs that profits from regularity, it
   shows here: its size grows with N, not with the states (Visser 1996, table 1, has N = 4, 5 and 6; set it by -DN=5). */
#ifndef N
#define N 4
#endif

active [N] proctype Counter()
{
	byte value = 0;

	do
	:: value = (value + 1) % 10
	od
}
