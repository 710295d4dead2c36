/* expect: holds; states: 334; transitions: 822 */
/* Leader election in a one-way ring, after Chang and Roberts.

   Everybody sends its own number to the right. Who receives a larger number
   passes it on; a smaller one is swallowed. A number that comes all the way
   round was the largest: its owner leads, and tells the others. */

#define N 4

mtype = { candidate, elected };

chan link[N] = [N] of { mtype, byte };
byte number_of[N] = { 3, 1, 4, 2 };     /* the numbers, along the ring */
byte leaders;                           /* ghost */

active [N] proctype node()
{
    byte mine = number_of[_pid];
    byte right = (_pid + 1) % N;
    byte other;

    link[right]!candidate,mine;
    do
    :: link[_pid]?candidate,other ->
       if
       :: other > mine -> link[right]!candidate,other
       :: other < mine
       :: other == mine ->
          leaders++;
          assert(leaders == 1 && mine == N);
          link[right]!elected,mine
       fi
    :: link[_pid]?elected,other ->
       assert(other == N);
       if
       :: other != mine -> link[right]!elected,other
       :: else                          /* my own news came back */
       fi;
       break
    od
}
