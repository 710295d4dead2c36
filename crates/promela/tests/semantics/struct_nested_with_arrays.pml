/* expect: holds; states: 8; transitions: 7 */
/* typedefs in typedefs, arrays of them, arrays in them. */
typedef In { byte v[2]; bool f }
typedef Out { In in[2]; In one; byte n }
Out o[2];
active proctype P() { byte i = 1; o[i].in[i].v[i] = 5; o[0].in[1].v[0] = o[1].in[1].v[1] + 1; assert(o[0].in[1].v[0] == 6); o[1].one.f = true; o[i].n++; assert(o[0].n == 0) }
