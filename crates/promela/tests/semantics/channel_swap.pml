/* expect: holds; states: 8; transitions: 7 */
/* Channel variables can be swapped; buffers stay where they are. */
chan c = [1] of { byte }; chan d = [1] of { byte };
active proctype P() { chan t; c!1; t = c; c = d; d = t; assert(len(c) == 0 && len(d) == 1); d?_ }
