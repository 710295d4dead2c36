/* expect: violated error; states: 59; transitions: 81; errors: 19 */
byte x; chan c = [2] of { byte };
active D_proctype P() { do :: x < 3 -> x++ :: x < 2 -> x = 3 :: c!1 :: c?_ -> x = 0 :: skip -> break :: d_step { x == 1; x = 2 } od }
