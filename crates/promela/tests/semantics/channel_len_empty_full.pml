/* expect: holds; states: 7; transitions: 6 */
/* len, empty, full, nempty, nfull. (SPIN rejects !full(c): say nfull(c).) */
chan c = [2] of { byte };
active proctype P()
{
    assert(len(c) == 0 && empty(c) && nfull(c));
    c!1; assert(len(c) == 1 && nempty(c) && nfull(c));
    c!1; assert(len(c) == 2 && full(c) && nempty(c))
}
