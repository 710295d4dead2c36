//! Sending and receiving.

use super::Author;
use super::expr::Asker;
use super::scope::{Chan, Scope, Ty, Var};

impl Author {
    /// A channel that the process at hand uses in this way, and its text.
    fn channel(&mut self, scope: &Scope, wanted: impl Fn(&Chan) -> bool) -> Option<(Chan, String)> {
        let fitting: Vec<&Chan> = scope.chans.iter().filter(|chan| wanted(chan)).collect();
        if fitting.is_empty() {
            return None;
        }
        let chan = (*self.rng.pick(&fitting)).clone();
        let text = self.indexed(&chan.text, &chan.lens, scope);
        Some((chan, text))
    }

    pub(super) fn send(&mut self, scope: &Scope, buffered: bool) -> Option<String> {
        let (chan, text) = self.channel(scope, |chan| chan.sends && (!buffered || chan.capacity != Some(0)))?;
        let sign = if self.rng.chance(if chan.capacity == Some(0) { 3 } else { 15 }) { "!!" } else { "!" };
        let values: Vec<String> = chan.fields.iter().map(|&ty| self.sent(ty, scope)).collect();
        let first_is_simple = values[0].chars().all(char::is_alphanumeric);
        Some(match values.len() > 1 && first_is_simple && self.rng.chance(20) {
            true => format!("{text}{sign}{}({})", values[0], values[1..].join(",")),
            false => format!("{text}{sign}{}", values.join(",")),
        })
    }

    fn sent(&mut self, ty: Ty, scope: &Scope) -> String {
        match ty {
            Ty::Mtype(_) | Ty::Chan => self.value(ty, scope, Asker::Process),
            _ => match self.rng.below(8) {
                0..4 => self.rng.below(3).to_string(),
                4 | 5 => self.number(0, scope, Asker::Process),
                6 => self.condition(0, scope, Asker::Process),
                _ => format!("({}) & 1", self.number(1, scope, Asker::Process)),
            },
        }
    }

    pub(super) fn receive(&mut self, scope: &Scope, buffered: bool) -> Option<String> {
        let (chan, text) = self.channel(scope, |chan| chan.receives && (!buffered || chan.capacity != Some(0)))?;
        let rendezvous = chan.capacity == Some(0);
        let form = if rendezvous && !self.rng.chance(4) {
            "?"
        } else {
            self.rng.weighted(&[(12, "?"), (4, "??"), (2, "?<"), (2, "??<")])
        };
        let patterns = self.patterns(&chan.fields, scope, true).join(",");
        Some(if form.ends_with('<') { format!("{text}{form}{patterns}>") } else { format!("{text}{form}{patterns}") })
    }

    pub(super) fn poll(&mut self, chan: &Chan, text: &str, scope: &Scope) -> String {
        let sign = if self.rng.chance(40) { "??" } else { "?" };
        let patterns = self.patterns(&chan.fields, scope, false).join(",");
        format!("{text}{sign}[{patterns}]")
    }

    /// What a message is compared with, or received into; no variable twice.
    fn patterns(&mut self, fields: &[Ty], scope: &Scope, into: bool) -> Vec<String> {
        let mut taken: Vec<String> = Vec::new();
        let mut patterns = Vec::new();
        for &ty in fields {
            let choice = self.rng.below(10);
            let target = |var: &Var| match ty {
                Ty::Mtype(set) => var.ty == Ty::Mtype(set),
                Ty::Chan => var.ty == Ty::Chan,
                _ => var.ty.is_number(),
            };
            let written = |var: &Var| var.written && var.lens.is_empty() && !taken.contains(&var.text) && target(var);
            let pattern = match choice {
                0..6 if into => self.var(scope, written).map(|(text, _)| text),
                6 => Some(match ty {
                    Ty::Chan => String::from("_"),
                    _ => format!("eval({})", self.pattern_value(ty, scope)),
                }),
                7 | 8 => match ty {
                    Ty::Chan => None,
                    Ty::Mtype(set) => {
                        let names = self.mtypes[set].1.clone();
                        Some(self.rng.pick(&names).clone())
                    }
                    _ => Some(self.rng.below(2).to_string()),
                },
                _ => None,
            };
            let pattern = pattern.unwrap_or_else(|| String::from("_"));
            taken.push(pattern.clone());
            patterns.push(pattern);
        }
        patterns
    }

    fn pattern_value(&mut self, ty: Ty, scope: &Scope) -> String {
        match ty {
            Ty::Mtype(_) => self.value(ty, scope, Asker::Process),
            _ => self.number(0, scope, Asker::Process),
        }
    }
}
