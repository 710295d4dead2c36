/* expect: holds; states: 702; transitions: 2088 */
/* A crossing of two roads and a footpath.

   The controller gives green to one of them at a time: cars go through
   yellow, pedestrians do not. Waiting is signalled through sensors, and whoever
   waits is served in turn. No two of the three are ever open at once. */

mtype = { red, yellow, green };

mtype north = red, east = red, walk = red;
bool waiting[3];                    /* sensors: north, east, walk */
byte turn;

#define safe ((north == red) + (east == red) + (walk == red) >= 2)

inline serve_cars(light)
{
    light = green;
    assert(safe);
    light = yellow;
    assert(safe);
    light = red
}

active proctype controller()
{
    do
    :: waiting[turn] ->
       waiting[turn] = false;
       if
       :: turn == 0 -> serve_cars(north)
       :: turn == 1 -> serve_cars(east)
       :: turn == 2 -> walk = green; assert(safe); walk = red
       fi;
       turn = (turn + 1) % 3
    :: !waiting[turn] -> turn = (turn + 1) % 3
    od
}

active [3] proctype arrivals()
{
    do
    :: !waiting[_pid - 1] -> waiting[_pid - 1] = true
    od
}
