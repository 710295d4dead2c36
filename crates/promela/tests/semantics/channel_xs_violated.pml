/* expect: holds; states: 10; transitions: 10 */
/* Two processes send, one of them claims to be alone: without reduction nobody
   checks that. */
chan c = [2] of { byte };
active proctype P() { xs c; c!1 }
active proctype Q() { c!2 }
