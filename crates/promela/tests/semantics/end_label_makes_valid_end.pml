/* expect: holds; states: 7; transitions: 7 */
/* A process may stop at an end label. */
chan c = [1] of { byte };
active proctype Server() { byte v; end: do :: c?v od }
active proctype Client() { c!1; c!2 }
