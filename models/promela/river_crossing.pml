/* expect: violated assertion; states: 48; transitions: 62; errors: 1 */
/* The farmer, the wolf, the goat and the cabbage.

   A model checker solves puzzles by being told that they have no solution:
   the violation of the last assertion is a way across. */

#define LEFT  0
#define RIGHT 1

bit farmer, wolf, goat, cabbage;        /* on which bank? */

#define eaten  (farmer != goat && (goat == wolf || goat == cabbage))
#define across (farmer == RIGHT && wolf == RIGHT && goat == RIGHT && cabbage == RIGHT)

inline cross_with(passenger)
{
    atomic {
        passenger == farmer ->
        farmer = 1 - farmer;
        passenger = farmer
    }
}

active proctype boat()
{
    do
    :: eaten -> break                   /* the end of this attempt */
    :: !eaten ->
       assert(!across);
       if
       :: cross_with(wolf)
       :: cross_with(goat)
       :: cross_with(cabbage)
       :: farmer = 1 - farmer           /* alone */
       fi
    od
}
