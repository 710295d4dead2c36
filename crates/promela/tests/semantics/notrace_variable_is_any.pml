/* expect: violated event; states: 5; transitions: 4; errors: 1 */
byte g;
chan c = [1] of { byte };
notrace { c!g; c?g }
init { g = 1; c!3; c?_ }
