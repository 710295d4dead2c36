/* expect: holds; states: 1455; transitions: 3023 */
/* Go-back-N: a sliding window over lossy channels.

   Up to WINDOW frames are on their way unacknowledged. An acknowledgement
   names the next frame that is expected, and thereby confirms all before it.
   When nothing moves any more, the sender goes back to the first frame that
   is unconfirmed. Sequence numbers are counted modulo WINDOW + 1; with
   WINDOW of them the receiver could take an old frame for a new one (try
   it: #define NUMBERS WINDOW). */

#define WINDOW  2
#define NUMBERS (WINDOW + 1)
#define TOTAL   5           /* frames to transfer */

chan frames = [2] of { byte, byte };    /* number, payload */
chan acks   = [2] of { byte };          /* the number expected next */

active proctype sender()
{
    byte base;      /* the first frame not yet confirmed */
    byte next;      /* the first frame not yet sent */
    byte confirmed;

    do
    :: next < TOTAL && next < base + WINDOW ->
       frames!next % NUMBERS,next;
       next++
    :: acks?confirmed ->
       do
       :: base < next && base % NUMBERS != confirmed -> base++
       :: else -> break
       od;
       confirmed = 0
    :: timeout -> next = base
    :: base == TOTAL -> break
    od
}

active proctype receiver()
{
    byte number, payload, expected;

end:
    do
    :: frames?number,payload ->
       if
       :: number == expected % NUMBERS ->
          assert(payload == expected);
          expected++
       :: else
       fi;
       acks!expected % NUMBERS
    od
}

active proctype noise()
{
end:
    do
    :: frames?_,_
    :: acks?_
    od
}
