/* expect: holds; states: 491791; transitions: 1684851 */
/* Fork and join: adding up a range of numbers with a tree of processes.

   A worker splits its range until one number is left, and answers through a
   channel that it was given: channels are values. A channel dies with the
   process that created it, and children die before their parents, so an
   answer always finds its channel. */

#define UPTO 5

proctype worker(byte low, high; chan answer)
{
    chan part = [1] of { byte };
    byte middle, left, right;

    if
    :: low == high -> answer!low
    :: else ->
       middle = (low + high) / 2;
       run worker(low, middle, part);
       run worker(middle + 1, high, part);
       part?left;
       part?right;
       answer!left + right
    fi
}

init
{
    chan total = [1] of { byte };
    byte sum;

    run worker(1, UPTO, total);
    total?sum;
    assert(sum == UPTO * (UPTO + 1) / 2)
}
