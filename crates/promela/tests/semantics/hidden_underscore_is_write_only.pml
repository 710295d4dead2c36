/* expect: holds; states: 8; transitions: 7 */
/* _ swallows values and is not in the state. */
byte x; chan c = [2] of { byte, byte };
active proctype P() { _ = 3; _ = x; c!1,2; c!3,4; c?_,x; c?x,_ }
