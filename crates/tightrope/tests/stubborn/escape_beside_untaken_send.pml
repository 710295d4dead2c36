/* A send that nobody receives takes back what the escape before it barred, as in SPIN. */
bit b;
chan a = [0] of { byte };
byte x;
active proctype P0() {
  { (b); assert(x == 1) } unless { if :: a ! x :: true fi }
}
active proctype P2() { b = 1 }
