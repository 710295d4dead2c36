/* expect: holds; states: 10; transitions: 9 */
/* Sorted sends of negative numbers. */
chan c = [4] of { short };
short r;
active proctype P() { c!!1; c!!-1; c!!0; c!!-2; c?r; assert(r == -2); c?r; assert(r == -1) }
