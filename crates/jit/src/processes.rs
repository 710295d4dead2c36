//! Machine code for the moves of processes.
//!
//! One function per kind of process. It jumps to the location the process is at, and tries its transitions in order: a
//! test on the state, then, on a copy, what the transition does. What it was not made for (processes that start and end,
//! handshakes, questions about other processes), and all trouble, is left to the interpreter, a transition at a time.

mod channels;
mod moves;

use crate::GoesOn;
use crate::code::{Address, Code, Failed};
use crate::engine::{Effort, Engine, POINTER};
use crate::expr::Places;
use channels::known_type;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_module::FuncId;
use std::mem::offset_of;
use std::ops::Range;
use std::sync::Arc;
use tightrope_core::Repr;
use tightrope_ir::desk::{self, Desk, Moves, NativeKind, NativeMoves};
use tightrope_ir::{Action, Base, ChanRef, Expr, Pattern, Process, Program, Variable};

/// The most statements of a program that is compiled.
const MAX_ACTIONS: usize = 20_000;

/// How many statements there are in an action.
fn actions(action: &Action) -> usize {
    match action {
        Action::Indivisible(code) => {
            code.nodes.iter().flat_map(|node| &node.actions).map(|(action, _)| actions(action)).sum()
        }
        _ => 1,
    }
}

/// Machine code for the processes of a program. The error says why there is none.
pub(crate) fn processes(program: &Program, goes_on: GoesOn<'_>) -> Result<Arc<NativeMoves>, Failed> {
    if program.processes.is_empty() {
        return Err("there are no processes".into());
    }
    let transitions = program.processes.iter().flat_map(|process| &process.transitions);
    let count: usize = transitions.map(|transition| actions(&transition.action)).sum();
    if count > MAX_ACTIONS {
        return Err(format!("it is too large to be compiled ({count} statements; at most {MAX_ACTIONS} are)"));
    }
    let helpers = [("hand_over", desk::hand_over as *const u8), ("slow", desk::slow as *const u8)];
    let mut engine = Engine::new(&helpers, Effort::Full, goes_on)?;
    let signature = engine.signature(&[POINTER], &[types::I32]);
    let mut ids = Vec::new();
    for (kind, process) in program.processes.iter().enumerate() {
        if !is_compiled(program, process) {
            ids.push(None);
            continue;
        }
        let mut define = |part: Option<usize>, locations: Range<usize>| {
            let name = format!("moves{kind}{}", part.map_or(String::new(), |part| format!("_{part}")));
            let id = engine.declare(&name, &signature)?;
            moves::define(&mut engine, id, &signature, program, process, locations)?;
            Ok::<FuncId, Failed>(id)
        };
        let parts = parts(process);
        if parts.len() < 2 {
            ids.push(Some(define(None, 0..process.locations.len())?));
            continue;
        }
        let mut functions = Vec::new();
        for (part, locations) in parts.into_iter().enumerate() {
            functions.push((define(Some(part), locations.clone())?, locations));
        }
        let id = engine.declare(&format!("moves{kind}"), &signature)?;
        moves::define_switch(&mut engine, id, &signature, process, &functions)?;
        ids.push(Some(id));
    }
    let machine = engine.finish()?;
    let native = |(id, process): (Option<FuncId>, &Process)| {
        let address = machine.address(id?);
        // SAFETY: the function was just made with this signature.
        let code = unsafe { std::mem::transmute::<*const u8, Moves>(address) };
        let most = process.locations.iter().map(|location| location.count as usize).max().unwrap_or(0);
        Some(NativeKind { code, most })
    };
    let kinds = ids.into_iter().zip(&program.processes).map(native).collect();
    Ok(Arc::new(NativeMoves { kinds, memory: Box::new(machine) }))
}

/// A function has so many statements at most, unless they are at one location: making code takes longer than in proportion to
/// the size of a function.
const MAX_IN_FUNCTION: usize = 300;

/// The locations of a process, in parts for a function each.
fn parts(process: &Process) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut first, mut count) = (0, 0);
    for (number, location) in process.locations.iter().enumerate() {
        let here = process.transitions[location.transitions()].iter();
        let here: usize = here.map(|transition| actions(&transition.action)).sum();
        if count + here > MAX_IN_FUNCTION && number > first {
            parts.push(first..number);
            (first, count) = (number, 0);
        }
        count += here;
    }
    parts.push(first..process.locations.len());
    parts
}

/// Whether there is code for a kind of process: priorities, `provided`, escapes and `D_proctype` are left to the interpreter.
fn is_compiled(program: &Program, process: &Process) -> bool {
    !program.priorities
        && process.provided.is_none()
        && !process.deterministic
        && process.transitions.iter().all(|transition| transition.escape == 0)
}

/// A state, and the body of the process in it.
#[derive(Clone, Copy)]
struct Ground {
    state: Value,
    own: Value,
}

/// A process that looks at a state.
struct Eyes<'p> {
    program: &'p Program,
    process: &'p Process,
    desk: Value,
    ground: Ground,
}

impl Eyes<'_> {
    /// A field of the desk.
    fn desk(&self, code: &mut Code<'_>, offset: usize) -> Value {
        code.load(Repr::I32, Address { base: self.desk, offset: offset as i32, constant: true })
    }
}

impl Places for Eyes<'_> {
    fn base(&mut self, _code: &mut Code<'_>, variable: &Variable) -> Result<Address, Failed> {
        let base = match variable.base {
            Base::Global => self.ground.state,
            Base::Own => self.ground.own,
            _ => return Err("a variable of another process".into()),
        };
        Ok(Address { base, offset: 0, constant: false })
    }

    fn special(&mut self, code: &mut Code<'_>, expr: &Expr) -> Result<Value, Failed> {
        match expr {
            Expr::OwnPid => Ok(self.desk(code, offset_of!(Desk, pid))),
            Expr::ProcessCount => Ok(self.desk(code, offset_of!(Desk, count))),
            Expr::Timeout => Ok(self.desk(code, offset_of!(Desk, timeout))),
            Expr::OwnChannel(position) => {
                let first = self.desk(code, offset_of!(Desk, first_channel));
                let more = code.number(*position as i32 + 1);
                Ok(code.builder.ins().iadd(first, more))
            }
            Expr::Length(chan) => self.length(code, chan),
            Expr::Full(chan) => self.is_full(code, chan),
            other => Err(format!("{other:?} is left to the interpreter")),
        }
    }

    fn decide(&mut self, code: &mut Code<'_>, expr: &Expr, yes: Block, no: Block) -> Result<(), Failed> {
        let value = self.special(code, expr)?;
        code.builder.ins().brif(value, yes, &[], no, &[]);
        Ok(())
    }
}

/// Whether an expression is compiled.
fn has_code(program: &Program, process: &Process, expr: &Expr) -> bool {
    !expr.any(|expr| match expr {
        Expr::Const(_)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Both(..)
        | Expr::Either(..)
        | Expr::Choose(_)
        | Expr::Bounded(_)
        | Expr::Table(_)
        | Expr::OwnPid
        | Expr::ProcessCount
        | Expr::OwnChannel(_)
        | Expr::Timeout => false,
        Expr::Load(variable) => !is_near(variable),
        // The name of a channel is an expression that is looked at by itself.
        Expr::Length(chan) | Expr::Full(chan) => {
            !matches!(chan, ChanRef::Named(_)) && known_type(program, process, chan).is_none()
        }
        _ => true,
    })
}

/// Whether a variable is global, or the process's own.
fn is_near(variable: &Variable) -> bool {
    matches!(variable.base, Base::Global | Base::Own)
}

/// Whether an action is compiled.
fn is_plain(program: &Program, process: &Process, action: &Action) -> bool {
    let expr = |expr: &Expr| has_code(program, process, expr);
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
            let fits = channels::assumed_type(program, process, &send.chan, send.args.len())
                .is_some_and(|ty| program.channels[ty].capacity > 0);
            fits && program.monitor.is_none() && !send.sorted && channel(&send.chan) && send.args.iter().all(expr)
        }
        Action::Receive(receive) => {
            let fits = channels::assumed_type(program, process, &receive.chan, receive.patterns.len())
                .is_some_and(|ty| receive.keep || channels::is_small(&program.channels[ty]));
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
            actions.all(|(action, _)| !matches!(action, Action::Indivisible(_)) && is_plain(program, process, action))
        }
    }
}
