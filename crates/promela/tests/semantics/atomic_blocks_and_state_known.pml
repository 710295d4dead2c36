/* expect: holds; states: 9; transitions: 14 */
/* The state in which an atomic blocks may already be known: it is matched,
   not stored again. */
byte x; bool go;
active proctype P()
{
    do
    :: atomic { x = 1; x = 0; go; break }
    :: x = 0
    od
}
active proctype Q() { go = true }
