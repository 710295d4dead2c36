//! What must be true of a program before it is executed. Front ends produce valid programs; tests, the generator of
//! random programs and the compiler to machine code check that.

use crate::effects::operations::{Operation, extent, of_action, of_expr};
use crate::{
    Action, Base, ChanRef, Domain, Expr, Monitor, MonitorEvent, OwnedChannel, Pattern, Program, Type, Variable,
};
use tightrope_core::Repr;

/// The first error in a program, in words; nothing if it is valid.
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
        crate::rule::validate(program, rules)?;
    }
    if fixed > MAX_STATE {
        return Err("the fixed part is too large".into());
    }
    program.channels.iter().flat_map(|channel| &channel.fields).try_for_each(|field| plain(*field))?;
    channels_lie_in(program, &program.global_channels, fixed)?;
    if program.hidden.iter().any(|&(from, to)| from > to || to as usize > fixed) {
        return Err("hidden bytes lie outside the fixed part".into());
    }
    if program.last_mover.is_some_and(|offset| offset as usize >= fixed) {
        return Err("who moved last is kept outside the fixed part".into());
    }
    if let Some(monitor) = &program.monitor {
        watches(program, monitor)?;
    }
    if program.start.len() > 255 {
        return Err("more than 255 processes are there from the start".into());
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
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for location in &process.locations {
            ranges.extend((location.count > 0).then_some((location.first, location.count)));
            if u64::from(location.first) + u64::from(location.count) > process.transitions.len() as u64 {
                return Err(format!("a location of `{name}` has transitions that are not there"));
            }
        }
        ranges.sort_unstable();
        if ranges.windows(2).any(|pair| pair[0].0 + pair[0].1 > pair[1].0) {
            return Err(format!("two locations of `{name}` share a transition"));
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
        let size = process.body.len();
        let lie = |offset: u32, bytes: u32| offset as usize + bytes as usize <= size;
        if size > MAX_STATE || !lie(0, if process.wide_pc { 2 } else { 1 }) {
            return Err(format!("`{name}` has no room for its location, or too much"));
        }
        if !process.priority.is_none_or(|offset| lie(offset, 1)) {
            return Err(format!("the priority of `{name}` lies outside its body"));
        }
        for (offset, ty) in &process.params {
            plain(*ty)?;
            if !lie(*offset, ty.size()) {
                return Err(format!("a parameter of `{name}` lies outside its body"));
            }
        }
        channels_lie_in(program, &process.channels, size)?;
        if let Some(provided) = &process.provided {
            expression(program, provided, Some(kind))?;
        }
    }
    if let Some((goal, _)) = &program.goal {
        observed(program, goal)?;
    }
    program.initialisers.iter().try_for_each(|initialiser| action(program, initialiser, None))?;
    variables_are_apart(program)
}

/// Two declared variables must have no byte in common: partial order reduction takes them as distinct objects.
fn variables_are_apart(program: &Program) -> Result<(), String> {
    // The kind of the process whose variable it is, the bytes, and the number of the variable.
    let mut places: Vec<(Option<usize>, u32, u32, u32)> = Vec::new();
    for (kind, process) in program.processes.iter().enumerate() {
        let mut look = |part: Operation<'_>| {
            let (Operation::Reads(variable) | Operation::Writes(variable)) = part else { return };
            let owner = match &variable.base {
                Base::Global => None,
                Base::Own => Some(kind),
                Base::Process(_, other) => Some(*other as usize),
                Base::Frame | Base::At(_) => return,
            };
            let place = extent(variable);
            places.push((owner, place.start, place.end, variable.declared));
        };
        process.transitions.iter().for_each(|transition| of_action(&transition.action, &mut look));
        process.initialisers.iter().for_each(|action| of_action(action, &mut look));
        process.provided.iter().for_each(|provided| of_expr(provided, &mut look));
    }
    places.sort_unstable();
    places.dedup();
    // The bytes so far that reach farthest.
    let mut last: Option<(Option<usize>, u32, u32)> = None;
    for (owner, start, end, declared) in places {
        match &mut last {
            Some((before, reach, other)) if *before == owner && start < *reach => {
                if *other != declared {
                    return Err(format!("two variables share the byte at {start}"));
                }
                *reach = end.max(*reach);
            }
            _ => last = Some((owner, end, declared)),
        }
    }
    Ok(())
}

/// The most bytes of the parts of a state: offsets are numbers of 32 bits.
const MAX_STATE: usize = 1 << 30;

/// A type that has room for its values.
pub(crate) fn ty(ty: Type) -> Result<(), String> {
    if !(1..=32).contains(&ty.bits) {
        return Err(format!("a type of {} bits", ty.bits));
    }
    if let Domain::Within { low, high } = ty.domain {
        let most = i64::from(high) - i64::from(low) + 1;
        let fits = match ty.repr {
            Repr::U8 => most <= 0xff,
            Repr::U16 => most <= 0xffff,
            Repr::I32 => most <= 0xffff_ffff,
            Repr::I8 | Repr::I16 => false,
        };
        if low > high || !fits {
            return Err(format!("a type with no room for {low} to {high}"));
        }
    }
    Ok(())
}

/// A type of a process: unions belong to rules.
fn plain(of: Type) -> Result<(), String> {
    ty(of)?;
    if let Domain::Union(_) = of.domain { Err("a process has no unions".into()) } else { Ok(()) }
}

/// Channels must lie in what has so many bytes.
fn channels_lie_in(program: &Program, channels: &[OwnedChannel], size: usize) -> Result<(), String> {
    for owned in channels {
        let end = program.channels.get(owned.channel as usize).map(|channel| {
            let slots = u64::from(channel.capacity) * u64::from(channel.slot_size());
            u64::from(owned.offset) + if channel.capacity == 0 { 0 } else { 1 + slots }
        });
        if end.is_none_or(|end| end > size as u64) {
            return Err(format!("channel `{}` is of no type, or lies outside its part of the state", owned.name));
        }
    }
    Ok(())
}

/// The location of a monitor must lie in the state; its targets and channels must exist.
fn watches(program: &Program, monitor: &Monitor) -> Result<(), String> {
    let count = program.global_channels.len() as u32;
    if monitor.offset as usize >= program.fixed.len() || monitor.locations.is_empty() || monitor.locations.len() > 256 {
        return Err("the monitor is nowhere in the state, or has no locations, or too many".into());
    }
    if monitor.sends.iter().chain(&monitor.receives).any(|channel| *channel >= count) {
        return Err("the monitor watches a channel that is not there".into());
    }
    for (event, target) in monitor.locations.iter().flat_map(|(events, _)| events) {
        let (MonitorEvent::Send(channel, fields) | MonitorEvent::Receive(channel, fields)) = event;
        if *channel >= count || *target as usize >= monitor.locations.len() {
            return Err("the monitor expects a channel that is not there, or leads nowhere".into());
        }
        for field in fields {
            match field {
                Pattern::Any => {}
                Pattern::Equal(value) => expression(program, value, None)?,
                Pattern::Bind(_) => return Err("the monitor stores something".into()),
            }
        }
    }
    Ok(())
}

/// An expression.
fn expression(program: &Program, expr: &Expr, kind: Option<usize>) -> Result<(), String> {
    let mut result = Ok(());
    expr.walk(&mut |expr| {
        if result.is_ok() {
            result = part(program, expr, kind);
        }
    });
    result
}

/// An expression that an observer evaluates, which is no process and changes nothing.
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
        Expr::LocationOf(_, Some(kind)) | Expr::FirstOf(kind) if *kind as usize >= program.processes.len() => {
            Err("a process of no kind is asked for".into())
        }
        Expr::Length(chan) | Expr::Full(chan) => channel(program, chan, kind),
        Expr::OwnChannel(position) => channel(program, &ChanRef::Own(*position), kind),
        Expr::Poll(receive) => {
            channel(program, &receive.chan, kind)?;
            receive.patterns.iter().try_for_each(|pattern| match pattern {
                Pattern::Bind(one) => variable(program, one, kind),
                Pattern::Any | Pattern::Equal(_) => Ok(()),
            })
        }
        Expr::Table(table) if table.0.bound as usize != table.1.len() => {
            Err("a table has another size than its index".into())
        }
        Expr::Slot(_) | Expr::Undefined(_) | Expr::Call(_) | Expr::Ordinal(..) | Expr::Quantified(_) => {
            Err("a process has nothing of rules".into())
        }
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
    check(leads_on(action));
    result
}

/// Indivisible sequences must have a first node, and lead to nodes that exist.
fn leads_on(action: &Action) -> Result<(), String> {
    let Action::Indivisible(code) = action else { return Ok(()) };
    let is_there = |next: &Option<u32>| next.is_none_or(|next| (next as usize) < code.nodes.len());
    let mut actions = code.nodes.iter().flat_map(|node| &node.actions);
    if code.nodes.is_empty() || !actions.clone().all(|(_, next)| is_there(next)) {
        return Err("an indivisible sequence leads nowhere".into());
    }
    actions.try_for_each(|(action, _)| leads_on(action))
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
    plain(variable.ty)?;
    if variable.indices.iter().any(|index| index.bound == 0) {
        return Err("an array without elements".into());
    }
    let moved = variable.indices.iter().map(|i| u128::from(i.bound - 1) * u128::from(i.stride));
    let reach: u128 = moved.sum();
    if u128::from(variable.offset) + reach + u128::from(variable.ty.size()) > size as u128 {
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
