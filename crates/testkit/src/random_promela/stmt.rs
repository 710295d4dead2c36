//! Statements that contain no others, and sequences.

use super::expr::Asker;
use super::scope::{Scope, Ty, Var};
use super::{Author, Profile};

/// Where a statement stands.
#[derive(Clone, Copy)]
pub(super) struct Place<'s> {
    pub scope: &'s Scope,
    pub depth: usize,
    pub in_d_step: bool,
    pub in_atomic: bool,
    /// A `break` leads out of a loop, and out of no `d_step`.
    pub in_loop: bool,
    /// The statement begins an option, or what does: its choices and those around it are one.
    pub head: bool,
    /// A label may stand here.
    pub labelled: bool,
}

impl<'s> Place<'s> {
    pub fn body(scope: &'s Scope) -> Place<'s> {
        Place { scope, depth: 0, in_d_step: false, in_atomic: false, in_loop: false, head: false, labelled: true }
    }

    pub fn inner(self) -> Place<'s> {
        Place { depth: self.depth + 1, ..self }
    }

    /// Behind the first statement of a sequence.
    pub fn later(self) -> Place<'s> {
        Place { head: false, labelled: true, ..self }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Assign,
    Increment,
    Assert,
    Skip,
    Print,
    Guard,
    Send,
    Receive,
    Run,
    Select,
    Goto,
    Priority,
    Inline,
    Macro,
    Declare,
    Hidden,
    Timeout,
    Drain,
    Forward,
    If,
    Do,
    Atomic,
    DStep,
    Unless,
    Block,
    For,
}

/// A statement, and whether it is a basic one, which no loop ends with.
pub(super) struct Written {
    pub text: String,
    pub basic: bool,
    /// A label may be set before it.
    pub labelled: bool,
}

impl Written {
    pub fn basic(text: String) -> Written {
        Written { text, basic: true, labelled: true }
    }

    pub fn compound(text: String) -> Written {
        Written { text, basic: false, labelled: true }
    }
}

impl Author {
    /// So many statements, one after the other.
    pub(super) fn sequence(&mut self, place: Place<'_>, least: usize, most: usize) -> String {
        let count = self.rng.range(least as i32, most as i32).max(1);
        let mut lines: Vec<String> = Vec::new();
        let mut basic = true;
        for number in 0..count {
            let here = if number == 0 { place } else { place.later() };
            let written = self.statement(here);
            // The end of a loop is a jump to what follows, and nothing jumps into a d_step.
            if written.text.starts_with("d_step") && !basic {
                lines.push(String::from(if self.rng.chance(50) { "skip" } else { "true" }));
            }
            basic = written.basic;
            let label = written.labelled && here.labelled && !self.in_inline && self.rng.chance(7);
            if label && !here.in_d_step {
                let jumps = !written.text.starts_with("d_step");
                lines.push(format!("{} {}", self.label(jumps), written.text));
            } else {
                lines.push(written.text);
            }
        }
        lines.join(";\n")
    }

    /// A new label, with its colon; or one that was promised.
    fn label(&mut self, jumps: bool) -> String {
        if jumps && !self.promised.is_empty() && self.rng.chance(60) {
            let name = self.promised.remove(0);
            self.labels.push(name.clone());
            self.placed.push(name.clone());
            return format!("{name}:");
        }
        let kind = self.rng.weighted(&[(5, "L"), (4, "end"), (2, "progress"), (2, "accept")]);
        let name = self.name(kind);
        if jumps {
            self.labels.push(name.clone());
        }
        self.placed.push(name.clone());
        format!("{name}:")
    }

    fn kind(&mut self, place: Place<'_>) -> Kind {
        let nested = self.profile == Profile::Nesting;
        let control = self.profile == Profile::Control;
        let deep = place.depth >= if nested { 4 } else { 3 } || self.fuel <= 2;
        let when = |allowed: bool, weight: usize| if allowed { weight } else { 0 };
        let free = !place.in_d_step;
        let compound = |weight: usize| if deep { 0 } else { weight * if nested { 2 } else { 1 } };
        let weights = [
            (30, Kind::Assign),
            (4, Kind::Increment),
            (7, Kind::Assert),
            (3, Kind::Skip),
            (1, Kind::Print),
            (4, Kind::Guard),
            (15, Kind::Send),
            (11, Kind::Receive),
            (when(free && !self.startable.is_empty() && !self.in_inline, 9), Kind::Run),
            (2, Kind::Select),
            (when(free && !self.in_inline && !place.head, 3), Kind::Goto),
            (when(self.has.priorities && free, 9), Kind::Priority),
            (when(!self.inlines.is_empty() && !place.head, 6), Kind::Inline),
            (when(!self.statements.is_empty(), 4), Kind::Macro),
            (when(free && !place.head && !self.in_inline, 2), Kind::Declare),
            (when(place.scope.hidden.is_some(), 4), Kind::Hidden),
            (when(self.has.timeout && free, 2), Kind::Timeout),
            (when(!deep && !place.head, 4), Kind::Drain),
            (when(!deep && !place.head && !self.in_inline, 2), Kind::Forward),
            (compound(12), Kind::If),
            (when(self.has.loops, compound(10)), Kind::Do),
            (when(self.has.atomic && free && !place.in_atomic, compound(if control { 20 } else { 11 })), Kind::Atomic),
            (when(self.has.d_step && free, compound(if control { 18 } else { 10 })), Kind::DStep),
            (
                when(self.has.unless && (free || self.rng.chance(10)), compound(if control { 14 } else { 9 })),
                Kind::Unless,
            ),
            (compound(1), Kind::Block),
            (when(self.has.loops, compound(2)), Kind::For),
        ];
        self.rng.weighted(&weights)
    }

    pub(super) fn statement(&mut self, place: Place<'_>) -> Written {
        self.fuel -= 1;
        let kind = self.kind(place);
        self.of_kind(kind, place).unwrap_or_else(|| Written::basic(self.assignment(place.scope)))
    }

    fn of_kind(&mut self, kind: Kind, place: Place<'_>) -> Option<Written> {
        let scope = place.scope;
        // A rendezvous may only begin a d_step.
        let buffered = place.in_d_step && !(place.head && self.rng.chance(30));
        Some(match kind {
            Kind::Assign => Written::basic(self.assignment(scope)),
            Kind::Increment => Written::basic(self.increment(scope)?),
            Kind::Assert => {
                let depth = self.rng.below(2);
                Written::basic(format!("assert({})", self.condition(depth, scope, Asker::Process)))
            }
            Kind::Skip => Written::basic(String::from("skip")),
            Kind::Print => Written::basic(format!("printf(\"x%d\\n\", {})", self.number(0, scope, Asker::Process))),
            Kind::Guard => {
                let depth = self.rng.below(2);
                Written::basic(self.guard(depth, scope))
            }
            Kind::Send => Written::basic(self.send(scope, buffered)?),
            Kind::Receive => Written::basic(self.receive(scope, buffered)?),
            Kind::Run => self.run(place),
            Kind::Select => {
                let (low, high) = (self.rng.below(2), self.rng.range(1, 2));
                Written::compound(format!("select ({} : {low} .. {high})", self.counter(scope)?))
            }
            Kind::Goto => self.jump()?,
            Kind::Priority => {
                let who = self.rng.weighted(&[(3, "_pid"), (1, "0"), (1, "1"), (1, "2")]);
                Written::basic(format!("set_priority({who}, {})", self.rng.range(1, 3)))
            }
            Kind::Inline => self.call(place)?,
            Kind::Macro => {
                let names = self.statements.clone();
                Written::basic(self.rng.pick(&names).clone())
            }
            Kind::Declare => self.declaration(scope),
            Kind::Hidden => {
                let name = scope.hidden.clone()?;
                Written::basic(format!("{name} = {}", self.number(1, scope, Asker::Process)))
            }
            Kind::Timeout => Written::basic(String::from("timeout")),
            Kind::Drain => Written::compound(self.drain(place)?),
            Kind::Forward => Written { labelled: false, ..Written::compound(self.forward(place)) },
            Kind::If => Written::compound(self.choice(place, false)),
            Kind::Do => Written::compound(self.choice(place, true)),
            Kind::Atomic => Written::compound(self.atomic(place)),
            Kind::DStep => Written::compound(self.d_step(place)),
            Kind::Unless => Written::compound(self.unless(place)),
            Kind::Block => Written { labelled: false, ..Written::compound(self.block(place)) },
            Kind::For => Written::compound(self.for_loop(place)?),
        })
    }

    pub(super) fn assignment(&mut self, scope: &Scope) -> String {
        let locally = self.profile == Profile::Orders && self.rng.chance(40);
        let locals: Vec<String> = scope.vars[scope.local_start..].iter().map(|var| var.text.clone()).collect();
        let own = |var: &Var| var.written && var.ty != Ty::Chan && locals.contains(&var.text);
        let any = |var: &Var| var.written && (var.ty != Ty::Chan || locals.contains(&var.text));
        let found = if locally { self.var(scope, own) } else { None };
        match found.or_else(|| self.var(scope, any)) {
            Some((text, ty)) => format!("{text} = {}", self.value(ty, scope, Asker::Process)),
            None => String::from("skip"),
        }
    }

    /// Of a variable that has few values; of another one, as far as that goes.
    fn increment(&mut self, scope: &Scope) -> Option<String> {
        let small = self.rng.chance(80);
        let (text, ty) =
            self.var(scope, |var| var.written && var.ty.is_number() && (!small || var.ty.top().is_some()))?;
        let sign = if self.rng.chance(65) { "++" } else { "--" };
        Some(match ty.top() {
            Some(_) => format!("{text}{sign}"),
            None if self.rng.chance(5) => format!("{text}{sign}"),
            None => format!("{text} = ({text} + 1) % 3"),
        })
    }

    /// A number that is written to, and no element of anything.
    pub(super) fn counter(&mut self, scope: &Scope) -> Option<String> {
        let plain = |var: &Var| {
            var.written
                && var.lens.is_empty()
                && !var.text.contains('.')
                && matches!(var.ty, Ty::Byte | Ty::Short | Ty::Int)
        };
        Some(self.var(scope, plain)?.0)
    }

    fn run(&mut self, place: Place<'_>) -> Written {
        let all = self.startable.clone();
        let one = self.rng.pick(&all);
        let values: Vec<String> = one.params.iter().map(|&ty| self.value(ty, place.scope, Asker::Process)).collect();
        let mut run = format!("run {}({})", one.name, values.join(", "));
        if self.has.priorities && self.rng.chance(40) {
            run = format!("{run} priority {}", self.rng.range(1, 3));
        }
        let number = |var: &Var| var.written && var.lens.is_empty() && matches!(var.ty, Ty::Byte | Ty::Pid | Ty::Short);
        let text = match self.rng.below(4) {
            0 => self.var(place.scope, number).map(|(target, _)| format!("{target} = {run}")),
            1 => Some(format!("({run})")),
            _ => None,
        };
        let text = text.unwrap_or(run);
        let bound = place.in_loop || !self.labels.is_empty() || self.rng.chance(35);
        match bound {
            true if place.in_atomic => Written::compound(format!("(_nr_pr < 4);\n{text}")),
            true => Written::compound(format!("atomic {{\n(_nr_pr < 4) -> {text}\n}}")),
            false => Written::basic(text),
        }
    }

    /// Back to a label, or on to one that is yet to be set. Only if something holds: a plain jump makes what follows dead.
    fn jump(&mut self) -> Option<Written> {
        let back = self.labels.clone();
        let target = if !back.is_empty() && self.rng.chance(50) {
            self.rng.pick(&back).clone()
        } else {
            let name = self.name("L");
            self.promised.push(name.clone());
            name
        };
        let globals = self.globals.clone();
        let held = self.condition(0, &globals, Asker::Process);
        let last = if self.rng.chance(70) { ":: else" } else { ":: else -> skip" };
        Some(match self.rng.chance(25) {
            true => Written { labelled: false, ..Written::basic(format!("goto {target}")) },
            false => Written::compound(format!("if\n:: {held} -> goto {target}\n{last}\nfi")),
        })
    }

    fn call(&mut self, place: Place<'_>) -> Option<Written> {
        let simple = place.in_d_step || place.in_atomic;
        let fitting: Vec<_> = self.inlines.iter().filter(|one| one.simple || !simple).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let one = self.rng.pick(&fitting).clone();
        let mut values = Vec::new();
        for &written in &one.params {
            values.push(match written {
                true => self.var(place.scope, |var| var.written && var.lens.is_empty() && var.ty.is_number())?.0,
                false => self.number(1, place.scope, Asker::Process),
            });
        }
        Some(Written { labelled: false, ..Written::compound(format!("{}({})", one.name, values.join(", "))) })
    }

    /// A declaration in the midst of things is an assignment.
    fn declaration(&mut self, scope: &Scope) -> Written {
        let name = self.name("d");
        let (word, ty) =
            self.rng.weighted(&[(3, ("byte", Ty::Byte)), (2, ("bit", Ty::Bit)), (1, ("short", Ty::Short))]);
        let value = self.value(ty, scope, Asker::Process);
        let start = if self.rng.chance(60) { format!("{word} {name} = {value}") } else { format!("{word} {name}") };
        let then = match self.rng.below(3) {
            0 => format!("assert({name} != {})", self.rng.below(3)),
            1 => format!("{name} = {}", self.value(ty, scope, Asker::Process)),
            _ => match self.var(scope, |var| var.written && var.ty.is_number()) {
                Some((target, _)) => format!("{target} = {name}"),
                None => format!("({name} == 0)"),
            },
        };
        Written { labelled: false, ..Written::basic(format!("{start};\n{then}")) }
    }
}
