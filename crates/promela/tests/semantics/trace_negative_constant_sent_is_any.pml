/* expect: violated event; states: 6; transitions: 5; errors: 1 */
chan c = [2] of { short };
trace { do :: c!-1 :: c?-1 od }
init { c!3; c!-1; c?_ ; c?_ }
