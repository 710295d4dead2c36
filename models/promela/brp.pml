/* expect: holds; states: 2400; transitions: 4122 */
/* The Bounded Retransmission Protocol of Philips, for remote controls.

   A file of PACKETS packets goes over a line K that loses frames, and is
   acknowledged over a line L that loses acknowledgements. The sender repeats
   a frame when its timer expires, at most RETRIES times; then it gives up the
   file. A frame says whether it is the first or the last of its file, and has
   a bit that alternates, so that the receiver tells a new frame from a
   repeated one.

   The writer of the file learns that it was sent (OK), that it was not
   (NOT_OK), or, when the last acknowledgement is missing, that nobody knows
   (DONT_KNOW). The reader gets every packet as the FIRST, an INCOMPLETE or
   the last (OK) part of its file, and NOT_OK when a file that has begun will
   not be completed.

   Timers are not early: the sender's expires only after a loss, the
   receiver's only after the sender has given up, when nothing is under way
   any more. A new file starts when the reader is done with the old one; after
   a failure both sides begin with bit 0 again.

   Described by Helmink, Sellink and Vaandrager (1994) and by Groote and van
   de Pol (1996).

   A long state space of narrow levels: states grow with PACKETS * RETRIES,
   levels only with PACKETS + RETRIES. An acknowledgement sets the retries to
   0, which leads back by three levels for each of them; not so with
   PER_FILE. If PACKETS is even, every file begins in the initial state:
       -DPACKETS=20000 -DRETRIES=8
       -DPACKETS=600 -DRETRIES=600 -DPER_FILE=1 */

#ifndef PACKETS
#define PACKETS 5       /* of a file */
#endif
#ifndef RETRIES
#define RETRIES 3       /* repetitions of a frame */
#endif
#ifndef DATA
#define DATA 2          /* how many contents a packet may have */
#endif
#ifndef PER_FILE
#define PER_FILE 0      /* 1: RETRIES is for all frames of a file together */
#endif
#ifndef ONCE
#define ONCE 0          /* 1: one file only, 0: one after the other for ever */
#endif

mtype = { FIRST, INCOMPLETE, OK, NOT_OK, DONT_KNOW };

chan K = [1] of { bool, bool, bit, byte };      /* first, last, sign, datum */
chan L = [1] of { bit };
chan confirmation = [0] of { mtype };
chan indication   = [1] of { mtype, byte };

bool lost;              /* a message, whose sender has not noticed yet */
bool gave_up;           /* the sender, and the receiver has not noticed yet */

byte content;           /* of the packet that is being sent … */
short delivered;        /* … and how many of its file the receiver has passed on */

active proctype sender()
{
    short packet = 1;
    short tries;        /* repetitions so far */
    bit sign;

next:
    atomic { select(content : 0 .. DATA - 1) };
send:
    K!packet == 1,packet == PACKETS,sign,content;
    if
    :: atomic {
          L?_ ->
          assert(delivered == packet);
          sign = 1 - sign;
          tries = (PER_FILE -> tries : 0);
          content = 0
       };
       if
       :: packet < PACKETS -> packet++; goto next
       :: packet == PACKETS -> confirmation!OK
       fi
    :: atomic { lost && tries < RETRIES -> lost = false; tries++; goto send }
    :: atomic { lost && tries == RETRIES -> lost = false; content = 0 };
       confirmation!(packet < PACKETS -> NOT_OK : DONT_KNOW);
       gave_up = true;
       atomic { !gave_up -> sign = 0 }
    fi;
    if
    :: atomic { !ONCE && empty(indication) -> packet = 1; tries = 0; delivered = 0; goto next }
    :: ONCE
    fi
}

active proctype receiver()
{
    bool first, last;
    bool begun;             /* a file that is not complete */
    bit sign, expected;
    byte datum;

end:
    do
    :: K?first,last,sign,datum ->
       if
       :: atomic {
             sign == expected ->
             assert(datum == content && first == !begun);
             delivered++;
             expected = 1 - expected;
             begun = !last
          };
          indication!(last -> OK : (first -> FIRST : INCOMPLETE)),datum
       :: sign != expected     /* a repetition */
       fi;
       atomic { L!1 -> first = false; last = false; sign = 0; datum = 0 }
    :: gave_up ->
       assert(empty(K) && empty(L));
       if
       :: begun -> indication!NOT_OK,0
       :: !begun
       fi;
       d_step { begun = false; expected = 0; gave_up = false }
    od
}

active proctype loss()
{
end:
    do
    :: atomic { K?_,_,_,_ -> lost = true }
    :: atomic { L?_ -> lost = true }
    od
}

/* Had a file sent. */
active proctype writer()
{
end:
    do
    :: atomic { confirmation?OK -> assert(delivered == PACKETS) }
    :: atomic { confirmation?NOT_OK -> assert(delivered < PACKETS) }
    :: atomic { confirmation?DONT_KNOW -> assert(delivered >= PACKETS - 1) }
    od
}

/* Gets the file. */
active proctype reader()
{
    short parts;    /* of the file that it is reading */

end:
    do
    :: atomic { indication?FIRST,_ -> assert(parts == 0); parts = 1 }
    :: atomic { indication?INCOMPLETE,_ -> assert(parts > 0); parts++; assert(parts < PACKETS) }
    :: atomic { indication?OK,_ -> assert(parts == PACKETS - 1); parts = 0 }
    :: atomic { indication?NOT_OK,_ -> assert(parts > 0 && parts < PACKETS); parts = 0 }
    od
}
