/* expect: holds; states: 599; transitions: 807 */
/* Stop-and-wait with a retransmission timer.

   `timeout` is true only when nothing else in the whole system can move: it
   stands for a timer that is never too early. The medium may lose a frame or
   an acknowledgement, but only LOSSES times; after that the transfer must
   succeed. A frame that arrives twice is recognised by its number. */

#define FRAMES 4
#define LOSSES 3

chan out     = [1] of { byte };     /* frames, into the medium … */
chan in      = [1] of { byte };     /* … and out of it */
chan ack_out = [1] of { byte };     /* acknowledgements, likewise */
chan ack_in  = [1] of { byte };

byte delivered;

active proctype sender()
{
    byte i, number;

    for (i : 1 .. FRAMES) {
        out!i;
        do
        :: ack_in?number ->
           assert(number == i);     /* no early timer, no late answer */
           break
        :: timeout -> out!i         /* once more */
        od
    }
    assert(delivered == FRAMES)
}

inline carry(from, into)
{
    from?cargo ->
    if
    :: into!cargo
    :: lost < LOSSES -> lost++
    fi;
    cargo = 0
}

active proctype medium()
{
    byte cargo, lost;

end:
    do
    :: carry(out, in)
    :: carry(ack_out, ack_in)
    od
}

active proctype receiver()
{
    byte frame;

end:
    do
    :: in?frame ->
       if
       :: frame == delivered + 1 -> delivered++
       :: else -> assert(frame <= delivered)
       fi;
       ack_out!frame
    od
}
