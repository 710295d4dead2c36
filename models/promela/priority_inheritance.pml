/* expect: holds; states: 18; transitions: 17 */
/* Priority inheritance: the cure for priority_inversion.

   Who waits for a lock lends its priority to the holder, until the lock is
   free; medium can no longer come in between. */

#define LOW  1
#define HIGH 3

bool locked;
bool high_waits;
bool alarm;             /* wakes medium */
byte data;
pid  holder;

active proctype low() priority 1
{
    atomic { !locked -> locked = true; holder = _pid };
    data++;
    alarm = true;       /* happens at a bad time */
    data--;
    atomic { locked = false; set_priority(_pid, LOW) }
}

active proctype medium() priority 2
{
    alarm;
    assert(!high_waits);
    alarm = false
}

active proctype high() priority 3
{
    data > 0;           /* starts when low is in the middle */
    high_waits = true;
    set_priority(holder, HIGH);
    atomic { !locked -> locked = true; holder = _pid };
    high_waits = false;
    locked = false
}
