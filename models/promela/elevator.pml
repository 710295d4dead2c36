/* expect: holds; states: 57234; transitions: 164972 */
/* An elevator between four floors.

   People press buttons whenever they like. The cabin goes on in its direction
   as long as there is a call ahead, and turns otherwise. It never moves with
   its door open, and never leaves the shaft. */

#define FLOORS 4

bool called[FLOORS];
byte floor;
bool up = true;
bool door_open;
bool moving;

/* Is there a call beyond `floor` in the current direction? */
inline look_ahead(answer)
{
    d_step {
        answer = false;
        for (f : 0 .. FLOORS - 1) {
            answer = answer || called[f] && (up -> f > floor : f < floor)
        }
        f = 0
    }
}

active proctype cabin()
{
    byte f;
    bool ahead;

end:
    do
    :: called[floor] ->
       door_open = true;
       called[floor] = false;
       door_open = false
    :: !called[floor] ->
       look_ahead(ahead);
       if
       :: ahead ->
          moving = true;
          assert(!door_open);
          floor = (up -> floor + 1 : floor - 1);
          assert(floor < FLOORS);
          moving = false
       :: else -> up = !up
       fi;
       ahead = false
    od
}

active proctype people()
{
    byte where;

    do
    :: select (where : 0 .. FLOORS - 1);
       called[where] = true
    od
}

active proctype inspector()
{
    assert(!(moving && door_open))
}
