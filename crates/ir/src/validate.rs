//! What must be true of a program before it is run. Front ends produce valid programs; this is the net below them,
//! used by tests, by the generator of random programs, and before anything is interpreted.

use crate::{Action, Base, ChanRef, Expr, Pattern, Program, Variable};

/// The first thing that is wrong with a program, in words; nothing if it is valid.
pub fn validate(program: &Program) -> Result<(), String> {
    let fixed = program.schema.fixed_size as usize;
    if program.fixed.len() != fixed {
        return Err(format!("the fixed part has {} bytes, the schema says {fixed}", program.fixed.len()));
    }
    if program.processes.len() != program.schema.kinds.len() || program.processes.len() > 255 {
        return Err("the processes and the schema's kinds do not match, or are more than 255".into());
    }
    covers(&program.schema.fixed, fixed as u32, "the fixed part")?;
    if let Some(rules) = &program.rules {
        crate::rule_validate::validate(program, rules)?;
    }
    for channel in &program.global_channels {
        let size = program.channels.get(channel.channel as usize).map(|channel| channel.size());
        if size.is_none_or(|size| channel.offset + size > fixed as u32) {
            return Err(format!("channel `{}` lies outside the fixed part", channel.name));
        }
    }
    for start in &program.start {
        if start.kind as usize >= program.processes.len() {
            return Err("a process of no kind is there from the start".into());
        }
    }
    for (kind, process) in program.processes.iter().enumerate() {
        let schema = &program.schema.kinds[kind];
        let name = &process.name;
        if schema.size as usize != process.body.len() {
            return Err(format!(
                "`{name}` has a body of {} bytes, the schema says {}",
                process.body.len(),
                schema.size
            ));
        }
        covers(&schema.fields, schema.size, name)?;
        let limit = if process.wide_pc { 1 << 16 } else { 1 << 8 };
        if process.locations.is_empty() || process.locations.len() > limit || process.transitions.len() > 0xfffe {
            return Err(format!("`{name}` has no locations, or too many"));
        }
        for location in &process.locations {
            if (location.first + location.count) as usize > process.transitions.len() {
                return Err(format!("a location of `{name}` has transitions that are not there"));
            }
        }
        for transition in &process.transitions {
            if transition.target as usize >= process.locations.len() {
                return Err(format!("`{}` of `{name}` leads nowhere", transition.text));
            }
            if transition.action == Action::End && transition.keeps_control {
                return Err(format!("`{name}` keeps control after its end"));
            }
            action(program, &transition.action, Some(kind))?;
        }
        for initialiser in &process.initialisers {
            action(program, initialiser, Some(kind))?;
        }
    }
    if let Some((goal, _)) = &program.goal {
        observed(program, goal)?;
    }
    program.initialisers.iter().try_for_each(|initialiser| action(program, initialiser, None))
}

/// What somebody evaluates who is no process, and changes nothing.
fn observed(program: &Program, goal: &Expr) -> Result<(), String> {
    let mut result = Ok(());
    goal.walk(&mut |expr| {
        let one = match expr {
            Expr::OwnPid | Expr::OwnChannel(_) | Expr::Run(_) | Expr::Timeout => {
                Err("a goal asks for what only a process knows or does".into())
            }
            _ => part(program, expr, None),
        };
        if result.is_ok() {
            result = one;
        }
    });
    result
}

/// An expression, apart from those below it.
fn part(program: &Program, expr: &Expr, kind: Option<usize>) -> Result<(), String> {
    match expr {
        Expr::Load(one) => variable(program, one, kind),
        Expr::Run(run) if run.kind as usize >= program.processes.len() => Err("a process of no kind is started".into()),
        Expr::Length(chan) | Expr::Full(chan) => channel(program, chan, kind),
        Expr::Poll(receive) => channel(program, &receive.chan, kind),
        _ => Ok(()),
    }
}

/// Fields must cover all bytes in order, so that encoders that keep the fields keep the state.
fn covers(fields: &[tightrope_core::Field], size: u32, what: &str) -> Result<(), String> {
    let mut at = 0;
    for field in fields {
        if field.offset != at {
            return Err(format!("{what}: field `{}` is at {}, expected at {at}", field.name, field.offset));
        }
        at += field.repr.size() as u32;
    }
    if at == size { Ok(()) } else { Err(format!("{what}: fields cover {at} of {size} bytes")) }
}

fn action(program: &Program, action: &Action, kind: Option<usize>) -> Result<(), String> {
    let mut result = Ok(());
    let mut check = |one: Result<(), String>| {
        if result.is_ok() {
            result = one;
        }
    };
    action.walk(&mut |expr| check(part(program, expr, kind)));
    each_channel(action, &mut |chan| check(channel(program, chan, kind)));
    each_written(action, &mut |one| check(variable(program, one, kind)));
    result
}

fn each_written(action: &Action, each: &mut dyn FnMut(&Variable)) {
    match action {
        Action::Assign(variable, _) => each(variable),
        Action::Receive(receive) => receive.patterns.iter().for_each(|pattern| {
            if let Pattern::Bind(variable) = pattern {
                each(variable);
            }
        }),
        Action::Indivisible(code) => {
            code.nodes.iter().flat_map(|node| &node.actions).for_each(|(action, _)| each_written(action, each));
        }
        _ => {}
    }
}

fn variable(program: &Program, variable: &Variable, kind: Option<usize>) -> Result<(), String> {
    let size = match (&variable.base, kind) {
        (Base::Global, _) => program.fixed.len(),
        (Base::Own, Some(kind)) => program.processes[kind].body.len(),
        (Base::Own, None) => 0,
        (Base::Frame | Base::At(_), _) => return Err("a process has no memory of rules".into()),
        (Base::Process(_, kind), _) => program.processes.get(*kind as usize).map_or(0, |process| process.body.len()),
    };
    let reach: u64 = variable.indices.iter().map(|i| u64::from(i.bound.saturating_sub(1)) * u64::from(i.stride)).sum();
    if u64::from(variable.offset) + reach + u64::from(variable.ty.size()) > size as u64 {
        return Err(format!("a variable at {} reaches beyond {size} bytes", variable.offset));
    }
    Ok(())
}

fn each_channel(action: &Action, each: &mut dyn FnMut(&ChanRef)) {
    match action {
        Action::Send(send) => each(&send.chan),
        Action::Receive(receive) => each(&receive.chan),
        Action::Indivisible(code) => {
            code.nodes.iter().flat_map(|node| &node.actions).for_each(|(action, _)| each_channel(action, each));
        }
        _ => {}
    }
}

fn channel(program: &Program, chan: &ChanRef, kind: Option<usize>) -> Result<(), String> {
    let there = match chan {
        ChanRef::Global(position) => (*position as usize) < program.global_channels.len(),
        ChanRef::Own(position) => {
            kind.is_some_and(|kind| (*position as usize) < program.processes[kind].channels.len())
        }
        ChanRef::Named(_) => true,
    };
    if there { Ok(()) } else { Err("a channel that is not there".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Type;

    #[test]
    fn goals_are_asked_by_nobody() {
        let with = |goal: Expr| Program { goal: Some((goal, String::new())), ..Program::default() };
        assert_eq!(validate(&with(Expr::ProcessCount)), Ok(()));
        let beyond = Variable { base: Base::Global, offset: 3, indices: Vec::new(), ty: Type::BYTE, declared: 0 };
        let own = Variable { base: Base::Own, offset: 0, ..beyond.clone() };
        let load = |variable: Variable| Expr::Load(Box::new(variable));
        for wrong in [Expr::OwnPid, Expr::Timeout, load(beyond), load(own), Expr::Length(ChanRef::Own(0))] {
            assert!(validate(&with(wrong.clone())).is_err(), "{wrong:?}");
        }
    }
}
