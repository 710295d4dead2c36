//! Statements that contain others.

use super::expr::Asker;
use super::stmt::Place;
use super::{Author, Profile};

impl Author {
    /// What is inside, which has choices of its own.
    fn apart<T>(&mut self, inside: impl FnOnce(&mut Author) -> T) -> T {
        self.else_taken.push(false);
        let result = inside(self);
        self.else_taken.pop();
        result
    }

    /// `if` and `do`. Where it begins an option, its `else` is also that of the choice around it.
    pub(super) fn choice(&mut self, place: Place<'_>, is_loop: bool) -> String {
        if place.head && !self.else_taken.is_empty() {
            return self.options(place, is_loop);
        }
        self.apart(|author| author.options(place, is_loop))
    }

    fn options(&mut self, place: Place<'_>, is_loop: bool) -> String {
        let count = self.rng.weighted(&[(2, 1), (6, 2), (3, 3)]);
        let inside = Place { head: true, labelled: true, in_loop: is_loop || place.in_loop, ..place.inner() };
        let mut options = Vec::new();
        for _ in 0..count {
            options.push(self.option(inside, is_loop));
        }
        let leaves = is_loop && self.rng.chance(if place.in_d_step || place.in_atomic { 85 } else { 45 });
        let taken = self.else_taken.last_mut().expect("a choice is at hand");
        if !*taken && self.rng.chance(if leaves { 60 } else { 35 }) {
            *taken = true;
            let then = if leaves || is_loop && (place.in_d_step || place.in_atomic) {
                String::from(" -> break")
            } else if self.rng.chance(40) && !is_loop {
                String::new()
            } else {
                format!(" -> {}", self.sequence(inside.later(), 1, 2))
            };
            let at = self.rng.below(options.len() + 1);
            options.insert(at, format!(":: else{then}"));
        } else if leaves {
            let guard = self.first(inside);
            options.push(format!(":: {guard} -> break"));
        }
        let (open, close) = if is_loop { ("do", "od") } else { ("if", "fi") };
        format!("{open}\n{}\n{close}", options.join("\n"))
    }

    /// A condition or message to begin an option with.
    fn first(&mut self, place: Place<'_>) -> String {
        let buffered = place.in_d_step && !self.rng.chance(10);
        let message = match self.rng.below(8) {
            0 | 1 => self.receive(place.scope, buffered),
            2 => self.send(place.scope, buffered),
            3 if self.has.timeout && !place.in_d_step => Some(String::from("timeout")),
            _ => None,
        };
        let depth = self.rng.below(2);
        message.unwrap_or_else(|| self.guard(depth, place.scope))
    }

    fn option(&mut self, place: Place<'_>, is_loop: bool) -> String {
        self.fuel -= 1;
        // What never gives control back tells little, and takes SPIN for ever: such a loop receives, or it ends.
        if is_loop && (place.in_d_step || place.in_atomic && self.rng.chance(90)) {
            if self.rng.chance(40)
                && let Some(receive) = self.receive(place.scope, place.in_d_step)
                && !receive.contains('<')
            {
                return format!(":: {receive} -> {}", self.assignment(place.scope));
            }
            return format!(":: {} ->\n{};\nbreak", self.first(place), self.sequence(place.later(), 1, 2));
        }
        let first = if self.rng.chance(65) { self.first(place) } else { self.sequence(place, 1, 1) };
        let lone = matches!(first.as_str(), "skip" | "true") && is_loop;
        if !lone && self.rng.chance(25) {
            return format!(":: {first}");
        }
        let arrow = if self.rng.chance(75) { " ->" } else { ";" };
        let mut then = self.sequence(place.later(), 1, 2);
        if then.starts_with("d_step") && (first.ends_with("od") || first.ends_with("fi") || first.ends_with('}')) {
            then = format!("skip;\n{then}");
        }
        if place.in_loop && self.rng.chance(20) {
            then = format!("{then};\nbreak");
        }
        format!(":: {first}{arrow}\n{then}")
    }

    pub(super) fn atomic(&mut self, place: Place<'_>) -> String {
        let inside = Place { in_atomic: true, labelled: false, ..place.inner() };
        format!("atomic {{\n{}\n}}", self.sequence(inside, 1, 4))
    }

    pub(super) fn d_step(&mut self, place: Place<'_>) -> String {
        let inside = Place { in_d_step: true, in_loop: false, labelled: false, head: true, ..place.inner() };
        let body = self.apart(|author| author.sequence(inside, 1, 4));
        // A loop at the very beginning is reached by a jump; and in SPIN a sequence that begins with an assertion answers whoever
        // offers a handshake.
        let odd = ["for", "select", "assert"].iter().any(|word| body.starts_with(word));
        if odd || self.rng.chance(10) {
            return format!("d_step {{\nskip;\n{body}\n}}");
        }
        format!("d_step {{\n{body}\n}}")
    }

    pub(super) fn unless(&mut self, place: Place<'_>) -> String {
        let inside = Place { labelled: false, ..place.inner() };
        let main = self.sequence(inside, 1, 3);
        let escape = self.apart(|author| {
            let inside = Place { labelled: false, head: false, ..place.inner() };
            if author.rng.chance(70) {
                let first = author.first(inside);
                if author.rng.chance(50) {
                    return first;
                }
                return format!("{first} ->\n{}", author.sequence(inside.later(), 1, 2));
            }
            author.sequence(inside, 1, 2)
        });
        format!("{{\n{main}\n}} unless {{\n{escape}\n}}")
    }

    pub(super) fn block(&mut self, place: Place<'_>) -> String {
        format!("{{\n{}\n}}", self.sequence(place.inner(), 1, 3))
    }

    pub(super) fn for_loop(&mut self, place: Place<'_>) -> Option<String> {
        let inside = Place { in_loop: true, head: false, labelled: true, ..place.inner() };
        if let Some((chan, var)) = place.scope.walked.clone()
            && self.rng.chance(60)
        {
            return Some(match self.rng.below(if place.in_d_step || place.in_atomic { 2 } else { 3 }) {
                0 => format!("{chan}!{var}"),
                1 => format!("{chan}?{var}"),
                _ => {
                    let body = self.apart(|author| author.sequence(inside, 1, 2));
                    format!("for ({var} in {chan}) {{\n{body}\n}}")
                }
            });
        }
        let counter = self.counter(place.scope)?;
        if !(place.in_d_step || place.in_atomic || place.scope.arrays.is_empty()) && self.rng.chance(40) {
            let (array, _) = self.rng.pick(&place.scope.arrays).clone();
            let body = self.apart(|author| author.sequence(inside, 1, 2));
            return Some(format!("for ({counter} in {array}) {{\n{body}\n}}"));
        }
        let high = match self.var(place.scope, |var| var.lens.is_empty() && var.ty.is_number() && var.text != counter) {
            Some((text, _)) if self.rng.chance(25) => text,
            _ => self.rng.range(1, 2).to_string(),
        };
        let low = if high == "1" { self.rng.below(2) } else { 0 };
        let body = self.apart(|author| author.sequence(inside, 1, 2));
        let body = match place.in_d_step || place.in_atomic {
            true if body.contains(&counter) => String::from("skip"),
            _ => body,
        };
        Some(format!("for ({counter} : {low} .. {high}) {{\n{body}\n}}"))
    }

    /// Receives for as long as something can be received.
    pub(super) fn drain(&mut self, place: Place<'_>) -> Option<String> {
        let receive = self.receive(place.scope, place.in_d_step).filter(|text| !text.contains('<'))?;
        let alone = place.in_d_step || place.in_atomic;
        let channel = receive.split('?').next().unwrap_or_default().to_string();
        self.apart(|author| {
            let then = match author.rng.below(if alone { 2 } else { 3 }) {
                0 => String::new(),
                1 => format!(" -> {}", author.assignment(place.scope)),
                _ => {
                    let inside = Place { in_loop: true, head: false, labelled: true, ..place.inner() };
                    format!(" -> {}", author.sequence(inside, 1, 1))
                }
            };
            let leave = match author.rng.below(5) {
                0 | 1 => String::from("else"),
                2 => format!("empty({channel})"),
                3 => format!("(empty({channel}) || {})", author.condition(0, place.scope, Asker::Process)),
                _ => author.guard(0, place.scope),
            };
            let mut options = vec![format!(":: {receive}{then}"), format!(":: {leave} -> break")];
            if author.rng.chance(30) {
                options.reverse();
            }
            if !alone
                && author.rng.chance(15)
                && let Some(send) = author.send(place.scope, place.in_d_step)
            {
                options.insert(1, format!(":: {send}"));
            }
            Some(format!("do\n{}\nod", options.join("\n")))
        })
    }

    /// A jump over a statement, also inside a `d_step`.
    pub(super) fn forward(&mut self, place: Place<'_>) -> String {
        let label = self.name("L");
        if !place.in_d_step {
            self.placed.push(label.clone());
        }
        let over = self.apart(|author| author.sequence(place.later(), 1, 1));
        let over = if over.starts_with("d_step") { format!("skip;\n{over}") } else { over };
        let last = if self.profile == Profile::Nesting && self.rng.chance(30) {
            self.assignment(place.scope)
        } else {
            String::from("skip")
        };
        let held = self.condition(0, place.scope, Asker::Process);
        let other = if self.rng.chance(50) { "else" } else { "else -> skip" };
        format!("if\n:: {held} -> goto {label}\n:: {other}\nfi;\n{over};\n{label}: {last}")
    }
}
