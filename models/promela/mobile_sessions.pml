/* expect: holds; states: 18129; transitions: 53082 */
/* Channels that are sent over channels: a front desk and a pool of agents.

   A customer creates a channel of its own and leaves it at the front desk.
   The desk hands it to any agent, who talks to the customer directly: the
   shape of the network changes as the messages flow. */

#define CUSTOMERS 3
#define AGENTS    2

mtype = { hello, question, answer, thanks };

typedef Session {
    chan to_customer;
    byte served
}

chan desk = [1] of { chan };
chan pool = [0] of { chan };
Session session[AGENTS];

active [AGENTS] proctype agent()
{
end:
    do
    :: pool?session[_pid].to_customer ->
       session[_pid].to_customer!hello,_pid;
       session[_pid].to_customer??question,eval(_pid);
       session[_pid].to_customer!answer,_pid;
       session[_pid].served = (session[_pid].served + 1) % 2
    od
}

active proctype reception()
{
    chan who;

end:
    do
    :: desk?who -> pool!who
    od
}

active [CUSTOMERS] proctype customer()
{
    chan mine = [2] of { mtype, pid };
    pid who;

    desk!mine;
    mine?hello,who;
    mine!question,who;
    mine??answer,eval(who);
    assert(who < AGENTS)
}
