/* expect: holds; states: 13; transitions: 12 */
/* The insertion goes before the first larger one, whatever the order is. */
chan c = [5] of { byte };
byte r;
active proctype P() { c!5; c!1; c!4; c!!3; c!!5; do :: c?r :: empty(c) -> break od }
