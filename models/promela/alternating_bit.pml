/* expect: holds; states: 1310; transitions: 4347 */
/* The alternating-bit protocol over channels that lose messages.

   Each frame carries a payload and one bit. The sender repeats a frame until
   an acknowledgement with the same bit arrives; the receiver delivers a frame
   only if its bit is the expected one, and acknowledges whatever comes.
   Payloads are numbered modulo 4, so that a lost, repeated or overtaken
   delivery shows. */

#define PAYLOADS 4

chan frames = [2] of { byte, bit };
chan acks   = [2] of { bit };

active proctype sender()
{
    byte payload;
    bit  sign, answer;

    do
    :: frames!payload,sign              /* send, or send again */
    :: acks?answer ->
       if
       :: answer == sign ->
          payload = (payload + 1) % PAYLOADS;
          sign = 1 - sign
       :: else                          /* an old acknowledgement */
       fi
    od
}

active proctype receiver()
{
    byte payload, expected;
    bit  sign, awaited;

    do
    :: frames?payload,sign ->
       if
       :: sign == awaited ->
          assert(payload == expected);
          expected = (expected + 1) % PAYLOADS;
          awaited = 1 - awaited
       :: else                          /* a repetition */
       fi;
       acks!sign
    od
}

/* Steals a message now and then. */
active proctype noise()
{
    do
    :: frames?_,_
    :: acks?_
    od
}
