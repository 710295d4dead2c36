//! `trace` and `notrace`.

use super::Author;
use super::scope::{Chan, Ty};

impl Author {
    pub(super) fn monitor(&mut self) -> Option<String> {
        let watched: Vec<Chan> =
            self.globals.chans.iter().filter(|one| one.lens.is_empty() && !one.text.contains('.')).cloned().collect();
        if watched.is_empty() {
            return None;
        }
        let chan = self.rng.pick(&watched).clone();
        let other = self.rng.pick(&watched).clone();
        let word = if self.rng.chance(70) { "trace" } else { "notrace" };
        let event = |author: &mut Author| {
            let chan = if author.rng.chance(80) { &chan } else { &other };
            author.event(chan)
        };
        let body = match self.rng.below(5) {
            0 => (0..self.rng.range(1, 3)).map(|_| event(self)).collect::<Vec<_>>().join(";\n"),
            1..4 => {
                let options: Vec<String> = (0..self.rng.range(1, 3))
                    .map(|_| {
                        let then = if self.rng.chance(40) { format!(" -> {}", event(self)) } else { String::new() };
                        format!(":: {}{then}", event(self))
                    })
                    .collect();
                format!("do\n{}\nod", options.join("\n"))
            }
            _ => format!("{};\ndo\n:: {}\n:: {} -> break\nod;\n{}", event(self), event(self), event(self), event(self)),
        };
        Some(format!("{word} {{\n{body}\n}}"))
    }

    fn event(&mut self, chan: &Chan) -> String {
        let sends = self.rng.chance(55);
        let patterns: Vec<String> = chan.fields.iter().map(|&ty| self.event_pattern(ty, sends)).collect();
        format!("{}{}{}", chan.text, if sends { "!" } else { "?" }, patterns.join(","))
    }

    fn event_pattern(&mut self, ty: Ty, sends: bool) -> String {
        let number = |author: &mut Author| {
            let globals = author.globals.clone();
            author.var(&globals, |var| var.ty.is_number() && var.lens.is_empty()).map(|(text, _)| text)
        };
        match (self.rng.below(10), ty) {
            (_, Ty::Chan) | (0..4, _) => String::from("_"),
            (_, Ty::Mtype(set)) => {
                let names = self.mtypes[set].1.clone();
                self.rng.pick(&names).clone()
            }
            (4..7, _) if sends && self.rng.chance(60) => number(self).unwrap_or_else(|| String::from("_")),
            (4..7, _) if !sends => number(self).map_or_else(|| String::from("_"), |text| format!("eval({text})")),
            _ => self.rng.below(3).to_string(),
        }
    }
}
