//! What is compiled, and what is left to the interpreter: processes that start and end, rendezvous, questions about other
//! processes, priorities.

use super::channels::{assumed_type, is_small, known_type};
use tightrope_ir::{Action, Base, ChanRef, Expr, Pattern, Process, Program, Variable};

/// Whether there is code for a kind of process: priorities, `provided`, escapes and `D_proctype` are left to the interpreter.
pub(super) fn is_compiled(program: &Program, process: &Process) -> bool {
    !program.priorities
        && process.provided.is_none()
        && !process.deterministic
        && process.transitions.iter().all(|transition| transition.escape == 0)
}

/// Whether an action is compiled.
pub(super) fn has_code(program: &Program, process: &Process, action: &Action) -> bool {
    let expr = |expr: &Expr| is_evaluated(program, process, expr);
    let target = |variable: &Variable| is_near(variable) && variable.indices.iter().all(|index| expr(&index.value));
    let channel = |chan: &ChanRef| match chan {
        ChanRef::Named(name) => expr(name),
        ChanRef::Global(_) | ChanRef::Own(_) => true,
    };
    match action {
        Action::Skip | Action::Else => true,
        Action::Test(test) | Action::Assert(test) => expr(test),
        Action::Assign(variable, value) => target(variable) && expr(value),
        Action::Print(print) => print.args.iter().all(expr),
        Action::Send(send) => {
            let fits = assumed_type(program, process, &send.chan, send.args.len())
                .is_some_and(|ty| program.channels[ty].capacity > 0);
            fits && program.monitor.is_none() && !send.sorted && channel(&send.chan) && send.args.iter().all(expr)
        }
        Action::Receive(receive) => {
            let fits = assumed_type(program, process, &receive.chan, receive.patterns.len())
                .is_some_and(|ty| receive.keep || is_small(&program.channels[ty]));
            let pattern = |pattern: &Pattern| match pattern {
                Pattern::Any => true,
                Pattern::Equal(value) => expr(value),
                Pattern::Bind(variable) => target(variable),
            };
            let plain = !receive.anywhere && program.monitor.is_none() && channel(&receive.chan);
            fits && plain && receive.patterns.iter().all(pattern)
        }
        Action::End | Action::SetPriority(..) => false,
        Action::Indivisible(code) => {
            let mut actions = code.nodes.iter().flat_map(|node| &node.actions);
            actions.all(|(action, _)| !matches!(action, Action::Indivisible(_)) && has_code(program, process, action))
        }
    }
}

/// Whether an expression is compiled.
fn is_evaluated(program: &Program, process: &Process, expr: &Expr) -> bool {
    !expr.any(|expr| match expr {
        Expr::OwnPid | Expr::ProcessCount | Expr::OwnChannel(_) | Expr::Timeout => false,
        Expr::Load(variable) => !is_near(variable),
        // The walk visits the expression that names a channel by itself.
        Expr::Length(chan) | Expr::Full(chan) => {
            !matches!(chan, ChanRef::Named(_)) && known_type(program, process, chan).is_none()
        }
        other => !other.is_calculation(),
    })
}

/// Whether a variable is global, or the process's own.
fn is_near(variable: &Variable) -> bool {
    matches!(variable.base, Base::Global | Base::Own)
}
