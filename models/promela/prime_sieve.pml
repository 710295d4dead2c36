/* expect: holds; states: 4615; transitions: 13512 */
/* The sieve of Eratosthenes as a growing chain of processes.

   Numbers flow from left to right. Each stage keeps the first number it gets
   (a prime), starts a stage behind it, and passes on what its prime does not
   divide. A zero ends the flow; stages die from the right. Each stage's
   channel is created by the stage before it, and lives as long as that. */

#define LIMIT 12

byte primes;            /* how many were found */

proctype stage(chan from)
{
    chan into = [1] of { byte };
    byte prime, number;

    from?prime;
    if
    :: prime == 0 -> goto done              /* the end of the chain */
    :: else -> primes++
    fi;
    run stage(into);
    do
    :: from?number ->
       if
       :: number == 0 -> into!0; break
       :: number != 0 && number % prime != 0 -> into!number
       :: else                              /* sifted out */
       fi
    od;
done:
    skip
}

init
{
    chan first = [1] of { byte };
    byte n;

    run stage(first);
    for (n : 2 .. LIMIT) {
        first!n
    }
    first!0;
    _nr_pr == 1;                            /* all stages are gone */
    assert(primes == 5)                     /* 2 3 5 7 11 */
}
