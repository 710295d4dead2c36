/* expect: holds; states: 4; transitions: 3 */
byte g; chan c = [2] of { byte };
trace { do :: c!g od }
init { g = 1; c!0 }
