//! Programs as text, to look at when a test fails.

use std::fmt::Write;
use tightrope_ir::{Action, Base, ChanRef, Expr, Pattern, Program, Receive, Variable};

/// The whole program.
pub fn dump(program: &Program) -> String {
    let mut text = String::new();
    let line = &mut text;
    for field in &program.schema.fixed {
        let _ = writeln!(line, "global {:>3}: {} {:?} {:?}", field.offset, field.name, field.repr, field.range);
    }
    for (number, channel) in program.channels.iter().enumerate() {
        let _ = writeln!(line, "channel type {number}: {} slots of {:?}", channel.capacity, channel.fields);
    }
    for (number, chan) in program.global_channels.iter().enumerate() {
        let _ = writeln!(line, "channel {}: {} at {} of type {}", number + 1, chan.name, chan.offset, chan.channel);
    }
    for initialiser in &program.initialisers {
        let _ = writeln!(line, "initially {}", action(initialiser));
    }
    let starts: Vec<String> = program.start.iter().map(|start| format!("{}@{}", start.kind, start.priority)).collect();
    let _ = writeln!(line, "start {}", starts.join(" "));
    let _ = writeln!(line, "priorities {}, last mover {:?}", program.priorities, program.last_mover);
    if let Some(monitor) = &program.monitor {
        let _ = writeln!(line, "{monitor:?}");
    }
    for (kind, process) in program.processes.iter().enumerate() {
        let _ = writeln!(line, "process {kind} {}:", process.name);
        for field in &program.schema.kinds[kind].fields {
            let _ = writeln!(line, "  local {:>3}: {} {:?} {:?}", field.offset, field.name, field.repr, field.range);
        }
        let _ = writeln!(line, "  parameters at {:?}", process.params.iter().map(|(at, _)| at).collect::<Vec<_>>());
        for chan in &process.channels {
            let _ = writeln!(line, "  owns {} at {} of type {}", chan.name, chan.offset, chan.channel);
        }
        for initialiser in &process.initialisers {
            let _ = writeln!(line, "  initially {}", action(initialiser));
        }
        if let Some(provided) = &process.provided {
            let _ = writeln!(line, "  provided {}", expr(provided));
        }
        for (number, location) in process.locations.iter().enumerate() {
            let _ = writeln!(line, "  {number}:{}", if location.end { " (end)" } else { "" });
            for index in location.first..location.first + location.count {
                let transition = &process.transitions[index as usize];
                let keeps = if transition.keeps_control { " keeping control" } else { "" };
                let escape = if transition.escape > 0 { " escaping" } else { "" };
                let (text, target) = (action(&transition.action), transition.target);
                let _ = writeln!(line, "    #{index} {text} -> {target}{keeps}{escape}");
            }
        }
    }
    text
}

/// An action.
pub fn action(action: &Action) -> String {
    match action {
        Action::Skip => String::from("skip"),
        Action::Test(test) => expr(test),
        Action::Assign(to, value) => format!("{} = {}", variable(to), expr(value)),
        Action::Assert(test) => format!("assert({})", expr(test)),
        Action::Send(send) => {
            format!("{}{}{}", channel(&send.chan), if send.sorted { "!!" } else { "!" }, list(&send.args, expr))
        }
        Action::Receive(one) => receive(one),
        Action::Print(print) => format!("print({:?}, {})", print.format, list(&print.args, expr)),
        Action::Else => String::from("else"),
        Action::End => String::from("end"),
        Action::SetPriority(pid, value) => format!("priority({}) = {}", expr(pid), expr(value)),
        Action::Indivisible(code) => {
            let nodes = code.nodes.iter().enumerate().map(|(at, node)| {
                let ways = node.actions.iter().map(|(one, next)| match next {
                    Some(next) => format!("{} -> {next}", self::action(one)),
                    None => format!("{} -> out", self::action(one)),
                });
                format!("{at}: {}", ways.collect::<Vec<_>>().join(" | "))
            });
            format!("indivisible {{ {} }}", nodes.collect::<Vec<_>>().join("; "))
        }
    }
}

fn list<T>(items: &[T], one: impl Fn(&T) -> String) -> String {
    items.iter().map(one).collect::<Vec<_>>().join(",")
}

fn receive(receive: &Receive) -> String {
    let sign = if receive.anywhere { "??" } else { "?" };
    let patterns = list(&receive.patterns, |pattern| match pattern {
        Pattern::Any => String::from("_"),
        Pattern::Equal(value) => format!("eval({})", expr(value)),
        Pattern::Bind(to) => variable(to),
    });
    let patterns = if receive.keep { format!("<{patterns}>") } else { patterns };
    format!("{}{sign}{patterns}", channel(&receive.chan))
}

fn channel(chan: &ChanRef) -> String {
    match chan {
        ChanRef::Global(at) => format!("chan{}", at + 1),
        ChanRef::Own(at) => format!("own{at}"),
        ChanRef::Named(name) => format!("({})", expr(name)),
    }
}

fn variable(variable: &Variable) -> String {
    let base = match &variable.base {
        Base::Global => String::from("g"),
        Base::Own => String::from("v"),
        Base::Process(pid, kind) => format!("p{kind}[{}].v", expr(pid)),
        other => format!("{other:?}"),
    };
    let indices = variable.indices.iter().map(|index| format!("[{} < {}]", expr(&index.value), index.bound));
    format!("{base}{}{}", variable.declared, indices.collect::<String>())
}

/// An expression.
pub fn expr(one: &Expr) -> String {
    match one {
        Expr::Const(value) => value.to_string(),
        Expr::Load(from) => variable(from),
        Expr::Unary(op, a) => format!("{op:?}({})", expr(a)),
        Expr::Binary(op, a, b) => format!("({} {op:?} {})", expr(a), expr(b)),
        Expr::Both(a, b) => format!("({} && {})", expr(a), expr(b)),
        Expr::Either(a, b) => format!("({} || {})", expr(a), expr(b)),
        Expr::Choose(parts) => format!("({} ? {} : {})", expr(&parts.0), expr(&parts.1), expr(&parts.2)),
        Expr::Bounded(index) => format!("({} below {})", expr(&index.value), index.bound),
        Expr::OwnPid => String::from("pid"),
        Expr::ProcessCount => String::from("processes"),
        Expr::OwnChannel(at) => format!("name(own{at})"),
        Expr::Length(chan) => format!("len({})", channel(chan)),
        Expr::Full(chan) => format!("full({})", channel(chan)),
        Expr::Poll(one) => format!("poll({})", receive(one)),
        Expr::Run(run) => format!("run {}({})@{}", run.kind, list(&run.args, expr), expr(&run.priority)),
        Expr::Enabled(pid) => format!("enabled({})", expr(pid)),
        Expr::LocationOf(pid, kind) => format!("location({}, {kind:?})", expr(pid)),
        Expr::FirstOf(kind) => format!("first({kind})"),
        Expr::PriorityOf(pid) => format!("priority({})", expr(pid)),
        Expr::Timeout => String::from("timeout"),
        Expr::NoProgress => String::from("no progress"),
        // What random programs do not use.
        other => format!("{other:?}"),
    }
}
