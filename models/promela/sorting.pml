/* expect: holds; states: 9023; transitions: 9990 */
/* Sorting in a d_step: a long computation that is one step of the model.

   First an array is filled in every possible way, which is where the states
   come from; then an insertion sort puts it in order, which costs a single
   state for each of them. The d_step must be deterministic, and every loop
   in it must come to an end. */

#define SIZE 5
#define TOP  3

byte a[SIZE];

init
{
    byte i, j, key, before;

    for (i : 0 .. SIZE - 1) {
        select (key : 0 .. TOP);
        a[i] = key;
        before = before + key
    }
    key = 0;                            /* SPIN: no loop may lead straight into a d_step */
    d_step {
        for (i : 1 .. SIZE - 1) {
            key = a[i];
            j = i;
            do
            :: j > 0 && a[j - 1] > key -> a[j] = a[j - 1]; j--
            :: else -> break
            od;
            a[j] = key
        }
        i = 0; j = 0; key = 0
    };
    for (i : 1 .. SIZE - 1) {
        assert(a[i - 1] <= a[i]);
        before = before - a[i]
    }
    assert(before == a[0])              /* nothing lost, nothing invented */
}
