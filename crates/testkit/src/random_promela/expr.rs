//! Expressions and conditions.

use super::Author;
use super::scope::{Chan, Scope, Ty, Var};

/// Who asks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asker {
    /// A statement of a process.
    Process,
    /// A `provided` clause, a macro, an initialiser: no channels' messages, nothing of other processes.
    Plain,
    /// A goal: no process.
    Nobody,
}

impl Author {
    /// A text whose `#` are replaced by indices. Some indices are too large in programs that may fail.
    pub(super) fn indexed(&mut self, text: &str, lens: &[usize], scope: &Scope) -> String {
        let mut out = String::new();
        let mut lens = lens.iter();
        for part in text.split_inclusive('#') {
            match part.strip_suffix('#') {
                Some(before) => {
                    out.push_str(before);
                    let len = *lens.next().expect("an index for every #");
                    out.push_str(&self.index(len, scope));
                }
                None => out.push_str(part),
            }
        }
        out
    }

    fn index(&mut self, len: usize, scope: &Scope) -> String {
        let plain: Vec<&Var> = scope.vars.iter().filter(|var| var.lens.is_empty() && var.ty.is_number()).collect();
        if plain.is_empty() || self.rng.chance(60) {
            return self.rng.below(len).to_string();
        }
        let var = (*self.rng.pick(&plain)).clone();
        if var.ty.top().is_some_and(|top| top < len as i32) || (self.has.faults && self.rng.chance(50)) {
            return var.text;
        }
        if len.is_power_of_two() { format!("({}) & {}", var.text, len - 1) } else { format!("({}) % {len}", var.text) }
    }

    pub(super) fn var(&mut self, scope: &Scope, wanted: impl Fn(&Var) -> bool) -> Option<(String, Ty)> {
        let fitting: Vec<&Var> = scope.vars.iter().filter(|var| wanted(var)).collect();
        if fitting.is_empty() {
            return None;
        }
        // What is declared last is nearest at hand.
        let at = if self.rng.chance(30) { fitting.len() - 1 } else { self.rng.below(fitting.len()) };
        let var = fitting[at].clone();
        Some((self.indexed(&var.text, &var.lens, scope), var.ty))
    }

    pub(super) fn constant(&mut self) -> String {
        let value = self.rng.weighted(&[(10, 0), (12, 1), (8, 2), (3, 3)]);
        if self.rng.chance(1) { String::from("255") } else { value.to_string() }
    }

    /// A value of a type, cut to a few values most of the time.
    pub(super) fn value(&mut self, ty: Ty, scope: &Scope, asker: Asker) -> String {
        match ty {
            Ty::Mtype(set) => self.mtype_value(set, scope),
            Ty::Chan => self.channel_value(scope),
            Ty::Bool if self.rng.chance(40) => String::from(if self.rng.chance(50) { "true" } else { "false" }),
            Ty::Bit | Ty::Bool | Ty::Unsigned(_) => match self.rng.below(3) {
                0 => self.rng.below(2).to_string(),
                _ => self.number(1, scope, asker),
            },
            _ => match self.rng.below(12) {
                0..6 => self.constant(),
                6..8 => self.condition(0, scope, asker),
                8 => format!("({}) & 1", self.number(1, scope, asker)),
                9 => format!("({}) & 3", self.number(0, scope, asker)),
                10 => format!("({}) % 3", self.number(0, scope, asker)),
                _ => self.number(0, scope, asker),
            },
        }
    }

    fn mtype_value(&mut self, set: usize, scope: &Scope) -> String {
        if self.rng.chance(35)
            && let Some((text, _)) = self.var(scope, |var| var.ty == Ty::Mtype(set))
        {
            return text;
        }
        let names = self.mtypes[set].1.clone();
        self.rng.pick(&names).clone()
    }

    fn channel_value(&mut self, scope: &Scope) -> String {
        let fields = self.carried.clone();
        let fitting: Vec<Chan> = scope.chans.iter().filter(|one| one.fields == fields).cloned().collect();
        match fitting.is_empty() {
            true => String::from("0"),
            false => {
                // One's own channel, which dies with its owner, most of all.
                let own: Vec<Chan> = fitting
                    .iter()
                    .filter(|one| one.text.starts_with("lc") || one.text.starts_with("la"))
                    .cloned()
                    .collect();
                let chan = if !own.is_empty() && self.rng.chance(60) {
                    self.rng.pick(&own).clone()
                } else {
                    self.rng.pick(&fitting).clone()
                };
                self.indexed(&chan.text, &chan.lens, scope)
            }
        }
    }

    /// A number: a variable most of the time.
    pub(super) fn number(&mut self, depth: usize, scope: &Scope, asker: Asker) -> String {
        if depth > 0 && self.rng.chance(55) {
            return self.operation(depth, scope, asker);
        }
        match self.rng.below(20) {
            0..4 => self.constant(),
            4 => self.system_value(scope, asker),
            5 if self.has.remote && asker != Asker::Plain && !self.known.is_empty() => self.remote_value(),
            _ => match self.var(scope, |var| var.ty.is_number()) {
                Some((text, _)) => text,
                None => self.constant(),
            },
        }
    }

    fn operation(&mut self, depth: usize, scope: &Scope, asker: Asker) -> String {
        let one = self.number(depth - 1, scope, asker);
        let two = self.number(depth - 1, scope, asker);
        match self.rng.below(16) {
            0 => format!("(- {one})"),
            1 => format!("(~ {one})"),
            2 => format!("(!{one})"),
            3 => format!("({} -> {one} : {two})", self.condition(0, scope, asker)),
            4 => {
                let divisor =
                    if self.has.faults && self.rng.chance(50) { two } else { self.rng.range(1, 3).to_string() };
                format!("({one} {} {divisor})", self.rng.pick(&["/", "%"]))
            }
            5 => format!("({one} {} {})", self.rng.pick(&["<<", ">>"]), self.rng.below(2)),
            6..9 => self.condition(depth - 1, scope, asker),
            _ => format!("({one} {} {two})", self.rng.pick(&["+", "-", "*", "&", "|", "^"])),
        }
    }

    fn system_value(&mut self, scope: &Scope, asker: Asker) -> String {
        match self.rng.below(6) {
            0 if asker != Asker::Nobody => String::from("_pid"),
            1 if asker != Asker::Plain => String::from("_nr_pr"),
            2 if self.has.last && asker != Asker::Plain => String::from("_last"),
            3 if self.has.remote && asker != Asker::Plain && !self.known.is_empty() => self.remote_value(),
            4 if self.has.priorities && asker == Asker::Process => String::from("get_priority(_pid)"),
            _ if scope.chans.is_empty() => self.constant(),
            _ => {
                let chan = self.any_channel(scope);
                format!("len({chan})")
            }
        }
    }

    pub(super) fn any_channel(&mut self, scope: &Scope) -> String {
        let chan = self.rng.pick(&scope.chans).clone();
        self.indexed(&chan.text, &chan.lens, scope)
    }

    fn remote_value(&mut self) -> String {
        let known = self.known.clone();
        let proc = self.rng.pick(&known);
        let scalars: Vec<&(String, Ty)> = proc.scalars.iter().filter(|(_, ty)| ty.is_number()).collect();
        if scalars.is_empty() {
            return self.constant();
        }
        let (name, _) = *self.rng.pick(&scalars);
        let number = if self.rng.chance(50) { format!("[{}]", self.rng.below(3)) } else { String::new() };
        format!("{}{number}:{name}", proc.name)
    }

    fn remote_label(&mut self) -> Option<String> {
        let known: Vec<_> = self.known.iter().filter(|proc| !proc.labels.is_empty()).cloned().collect();
        if known.is_empty() {
            return None;
        }
        let proc = self.rng.pick(&known);
        let number = if self.rng.chance(50) { format!("[{}]", self.rng.below(3)) } else { String::new() };
        Some(format!("{}{number}@{}", proc.name, self.rng.pick(&proc.labels)))
    }

    /// Something that is true or false, in parentheses unless it is one word.
    pub(super) fn condition(&mut self, depth: usize, scope: &Scope, asker: Asker) -> String {
        if depth > 0 && self.rng.chance(45) {
            let (one, two) = (self.condition(depth - 1, scope, asker), self.condition(depth - 1, scope, asker));
            return match self.rng.below(5) {
                0 | 1 => format!("({one} && {two})"),
                2 | 3 => format!("({one} || {two})"),
                _ => format!("!({})", self.comparison(scope, asker)),
            };
        }
        match self.rng.below(20) {
            0 if !self.conditions.is_empty() && asker == Asker::Process => {
                let names = self.conditions.clone();
                self.rng.pick(&names).clone()
            }
            1 | 5 if self.has.remote && asker != Asker::Plain => {
                self.remote_label().unwrap_or_else(|| self.comparison(scope, asker))
            }
            2 if self.has.enabled && asker == Asker::Process => format!("enabled({})", self.rng.below(3)),
            3 => {
                let wanted = |var: &Var| matches!(var.ty, Ty::Bit | Ty::Bool);
                self.var(scope, wanted).map_or_else(|| self.comparison(scope, asker), |(text, _)| text)
            }
            4 => format!("(!{})", self.number(0, scope, asker)),
            _ => self.comparison(scope, asker),
        }
    }

    fn comparison(&mut self, scope: &Scope, asker: Asker) -> String {
        let sign = self.rng.weighted(&[(6, "=="), (7, "!="), (2, "<"), (1, ">"), (2, "<="), (1, ">=")]);
        if self.rng.chance(25)
            && let Some((text, Ty::Mtype(set))) = self.var(scope, |var| matches!(var.ty, Ty::Mtype(_)))
        {
            return format!("({text} {sign} {})", self.mtype_value(set, scope));
        }
        let one = self.number(0, scope, asker);
        let two = if self.rng.chance(70) { self.constant() } else { self.number(0, scope, asker) };
        format!("({one} {sign} {two})")
    }

    /// What stands alone as a statement or guard: also about channels, where `full` and its like may stand.
    pub(super) fn guard(&mut self, depth: usize, scope: &Scope) -> String {
        if self.rng.chance(35) && !scope.chans.is_empty() {
            let about = self.about_channel(scope);
            return match self.rng.below(6) {
                0 | 1 => format!("({about} || {})", self.condition(0, scope, Asker::Process)),
                2 => format!("({about} && {})", self.condition(0, scope, Asker::Process)),
                3 => format!("({} || {about})", self.about_channel(scope)),
                _ => about,
            };
        }
        self.condition(depth, scope, Asker::Process)
    }

    fn about_channel(&mut self, scope: &Scope) -> String {
        let chan = self.rng.pick(&scope.chans).clone();
        let text = self.indexed(&chan.text, &chan.lens, scope);
        if chan.capacity != Some(0) && self.rng.chance(25) {
            return self.poll(&chan, &text, scope);
        }
        match self.rng.below(7) {
            0..5 => format!("{}({text})", self.rng.pick(&["full", "empty", "nfull", "nempty", "nempty"])),
            _ => format!("(len({text}) {} {})", self.rng.pick(&["==", "!=", "<", ">"]), self.rng.below(3)),
        }
    }

    /// A condition on the states of the program that was written.
    pub(super) fn goal(&mut self) -> String {
        let scope = self.globals.clone();
        self.has.remote = true;
        let mut parts: Vec<String> = Vec::new();
        for _ in 0..self.rng.weighted(&[(3, 1), (5, 2), (2, 3)]) {
            parts.push(match self.rng.below(12) {
                0 if !scope.chans.is_empty() => {
                    format!("(len({}) == {})", self.any_channel(&scope), self.rng.below(2))
                }
                1 | 2 => self.remote_label().unwrap_or_else(|| self.comparison(&scope, Asker::Nobody)),
                3 => format!(
                    "({} == {})",
                    if self.known.is_empty() { String::from("1") } else { self.remote_value() },
                    self.rng.below(3)
                ),
                4 => self.condition(1, &scope, Asker::Nobody),
                _ => self.comparison(&scope, Asker::Nobody),
            });
        }
        parts.join(if self.rng.chance(85) { " && " } else { " || " })
    }
}
