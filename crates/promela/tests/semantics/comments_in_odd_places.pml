/* expect: holds; states: 4; transitions: 3 */
/* Comments may stand between any two tokens; they do not nest. */
byte /* a */ x /* b */ = /* c */ 1 /* d */;
active /**/ proctype /* * / */ P(/* none */) { /* e */ x /* f */ = /* g
   over two lines // and a line comment inside */ x + /* h */ 1; // the rest
   assert(x == 2 /* i */) /* j */ }
