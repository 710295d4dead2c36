byte x, y;
D_proctype D() { if :: x == 0 -> y = 1 :: x <= 1 -> y = 2 fi }
active proctype P() { x = 1 }
init { run D() }
