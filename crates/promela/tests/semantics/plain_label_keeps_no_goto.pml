/* expect: holds; states: 4; transitions: 3 */
/* … but not for any other label. */
byte x;
active proctype S() { x = 1; other: goto next; x = 2; next: x = 3 }
