/* expect: violated assertion; states: 17; transitions: 16; errors: 1 */
/* Priority inversion, as on Mars in 1997.

   Three tasks under a strict priority scheduler: only the enabled task of the
   highest priority runs. `low` holds a lock, `high` waits for it, and
   `medium`, which needs no lock at all, keeps `low` from going on. The
   assertion says that medium does not work while high waits; it fails. See
   priority_inheritance for the cure. */

bool locked;
bool high_waits;
bool alarm;             /* wakes medium */
byte data;

active proctype low() priority 1
{
    atomic { !locked -> locked = true };
    data++;
    alarm = true;       /* happens at a bad time */
    data--;
    locked = false
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
    atomic { !locked -> locked = true };
    high_waits = false;
    locked = false
}
