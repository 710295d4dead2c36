/* expect: holds; states: 63; transitions: 105 */
/* A send that finds no partner is not executable; its siblings are. */
chan c = [0] of { byte };
byte r; bool ready;
active proctype P()
{
    do
    :: c!1 -> r = r + 10; break
    :: r < 3 -> r++
    od
}
active proctype Q() { byte v; ready; c?v }
active proctype T() { ready = true }
