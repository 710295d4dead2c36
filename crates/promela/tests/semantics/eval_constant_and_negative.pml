/* expect: holds; states: 10; transitions: 9 */
/* Patterns: a negative constant, an eval of a sum, an eval of an array. */
chan c = [3] of { short };
short a[2]; byte r;
active proctype P() { a[1] = 7; c!-3; c!5; c!7; c?-3; c?eval(2 + 3); c?eval(a[1]); r = 1 }
