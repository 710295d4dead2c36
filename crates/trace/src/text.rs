//! A trace as text for people.

use crate::{Change, Replay, Value, values};
use std::fmt::Write as _;
use std::io::{self, Write};
use tightrope_core::{Model, Place, StepText, Violation};

/// Of a trace that is cut short, so many steps at the beginning and at the end are shown; and so many moves of a step.
pub const SHOWN_STEPS: usize = 100;

/// What is shown of a list of so many.
#[derive(Clone, Copy)]
struct Cut {
    count: usize,
    all: bool,
}

impl Cut {
    /// Whether an entry is shown; they are numbered from one.
    fn shows(self, number: usize) -> bool {
        let Cut { count, all } = self;
        all || count <= 2 * SHOWN_STEPS || number <= SHOWN_STEPS || number > count - SHOWN_STEPS
    }

    /// How many are left out, said where the first of them would stand.
    fn gap(self, number: usize) -> Option<usize> {
        (!self.shows(number) && number == SHOWN_STEPS + 1).then(|| self.count - 2 * SHOWN_STEPS)
    }
}

/// How wide the columns are.
#[derive(Default)]
struct Widths {
    numbers: usize,
    actors: usize,
    places: usize,
}

impl Widths {
    fn fit(&mut self, one: &StepText) {
        self.actors = self.actors.max(one.actor.chars().count());
        self.places = self.places.max(place(&one.at).chars().count());
    }

    /// Where what belongs to a step stands.
    fn indent(&self) -> usize {
        let column = |width: usize| if width > 0 { width + 2 } else { 0 };
        self.numbers + 2 + column(self.actors) + column(self.places) + 2
    }
}

/// How a counterexample is shown.
#[derive(Clone, Copy)]
pub struct How<'g> {
    /// Every step, also of a long one.
    pub all: bool,
    /// Whether there is time to go on; asked before every step.
    pub goes_on: &'g dyn Fn() -> bool,
}

/// A step to be shown: its number, its moves, and what changes.
type Shown = (usize, Vec<StepText>, Vec<Change>);

/// Writes a counterexample as text: numbered steps, who moves, where and what, what changes, what is printed; then the fault
/// and the variables at the end. Of many steps, and of many moves of one step, those in the middle are left out, unless all are
/// asked for.
///
/// ```text
///   1  sender[1]  m.pml:12  q!msg
///                             q[0].0: 0 → 3
/// ```
pub fn write(model: &dyn Model, violation: &Violation, how: How<'_>, out: &mut dyn Write) -> io::Result<()> {
    let count = violation.trace.steps.len();
    let cut = Cut { count, all: how.all };
    let mut widths = Widths { numbers: count.to_string().len().max(3), ..Widths::default() };
    // What is looked at for the widths is kept, unless it is much: a step may take long to execute.
    let mut shown: Option<Vec<Shown>> = (count <= 2 * SHOWN_STEPS).then(Vec::new);
    let mut replay = Replay::new(model, &violation.trace).map_err(io::Error::other)?;
    while let Some(taken) = replay.advance().map_err(io::Error::other)? {
        if !(how.goes_on)() {
            break;
        }
        if cut.shows(taken.number) {
            let moves = taken.moves();
            moves.iter().for_each(|one| widths.fit(one));
            shown = shown.filter(|_| moves.len() <= 2 * SHOWN_STEPS);
            if let Some(shown) = &mut shown {
                shown.push((taken.number, moves, taken.changes()));
            }
        }
    }
    let at_start = Replay::new(model, &violation.trace).map_err(io::Error::other)?;
    if let Some(start) = model.describe_initial(violation.trace.initial) {
        let places = widths.places.max(place(&start.at).chars().count());
        line(out, &widths, "0", &start, places)?;
        for Value { process, name, value } in values(model.schema(), at_start.state()) {
            writeln!(
                out,
                "{:indent$}{} = {value}",
                "",
                qualified(process.as_deref(), &name),
                indent = widths.indent()
            )?;
        }
    }
    let mut last = 0;
    if let Some(shown) = shown {
        for (number, moves, changes) in &shown {
            step(out, &widths, *number, moves, changes, how.all)?;
            last = *number;
        }
    } else {
        replay = at_start;
        while let Some(taken) = replay.advance().map_err(io::Error::other)? {
            if !(how.goes_on)() {
                break;
            }
            if cut.shows(taken.number) {
                step(out, &widths, taken.number, &taken.moves(), &taken.changes(), how.all)?;
            } else if let Some(left_out) = cut.gap(taken.number) {
                gap(out, &widths, left_out, "steps")?;
            }
            last = taken.number;
        }
    }
    if last < count {
        let left_out = count - last;
        let steps = if left_out == 1 { "step" } else { "steps" };
        return writeln!(
            out,
            "{:>width$}  no time was left to show {left_out} more {steps}",
            "…",
            width = widths.numbers
        );
    }
    let fault = replay.end(&violation.fault).map_err(io::Error::other)?;
    write!(out, "{}: {}", fault.kind.name(), fault.message)?;
    let at = place(&fault.at);
    if at.is_empty() {
        writeln!(out)?
    } else {
        writeln!(out, " ({at})")?
    }
    let mut last = values(model.schema(), replay.state()).peekable();
    if last.peek().is_some() {
        writeln!(out, "at the end:")?;
    }
    for Value { process, name, value } in last {
        writeln!(out, "  {} = {value}", qualified(process.as_deref(), &name))?;
    }
    let standing = model.standing(replay.state());
    if !standing.is_empty() {
        writeln!(out, "standing at:")?;
    }
    let mut widths = Widths::default();
    standing.iter().for_each(|one| widths.fit(one));
    standing.iter().try_for_each(|one| line(out, &widths, "", one, widths.places))
}

/// A step: its moves, and below them what changes.
fn step(
    out: &mut dyn Write,
    widths: &Widths,
    number: usize,
    moves: &[StepText],
    changes: &[Change],
    all: bool,
) -> io::Result<()> {
    let indent = widths.indent();
    let cut = Cut { count: moves.len(), all };
    if moves.is_empty() {
        writeln!(out, "{number:>width$}", width = widths.numbers)?;
    }
    for (nth, one) in moves.iter().enumerate() {
        if let Some(left_out) = cut.gap(nth + 1) {
            gap(out, widths, left_out, "moves of this step")?;
        }
        if !cut.shows(nth + 1) {
            continue;
        }
        let number = if nth == 0 { number.to_string() } else { String::new() };
        line(out, widths, &number, one, widths.places)?;
        for printed in one.output.lines() {
            writeln!(out, "{:indent$}prints: {printed}", "")?;
        }
    }
    changes.iter().try_for_each(|change| writeln!(out, "{:indent$}{}", "", describe(change)))
}

/// A line where some are left out.
fn gap(out: &mut dyn Write, widths: &Widths, left_out: usize, what: &str) -> io::Result<()> {
    writeln!(out, "{:>width$}  {left_out} {what} are left out here; --full shows them", "…", width = widths.numbers)
}

/// A line: a number, who moves, where and what.
fn line(out: &mut dyn Write, widths: &Widths, number: &str, one: &StepText, places: usize) -> io::Result<()> {
    let mut line = format!("{number:>width$}  ", width = widths.numbers);
    columns(&mut line, one, widths.actors, places);
    writeln!(out, "{}", line.trim_end())
}

fn columns(line: &mut String, one: &StepText, actors: usize, places: usize) {
    if actors > 0 {
        let _ = write!(line, "{:actors$}  ", one.actor);
    }
    if places > 0 {
        let _ = write!(line, "{:places$}  ", place(&one.at));
    }
    line.push_str(&one.action);
}

/// A place, the file without its folders: there is no room for them in a column.
fn place(at: &Place) -> String {
    let file = at.file.rsplit(['/', '\\']).next().unwrap_or_default();
    match (file.is_empty(), at.line) {
        (true, 0) => String::new(),
        (true, line) => format!("line {line}"),
        (false, 0) => file.to_string(),
        (false, line) => format!("{file}:{line}"),
    }
}

fn qualified(process: Option<&str>, name: &str) -> String {
    process.map_or_else(|| name.to_string(), |process| format!("{process}.{name}"))
}

/// A change in words.
pub fn describe(change: &Change) -> String {
    match change {
        Change::Variable { process, name, old, new } => {
            format!("{}: {old} → {new}", qualified(process.as_deref(), name))
        }
        Change::Started(process) => format!("{process} starts"),
        Change::Ended(process) => format!("{process} ends"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page() {
        let one = |actor: &str, action: &str, line, output: &str| StepText {
            actor: actor.into(),
            action: action.into(),
            at: Place { file: "m.pml".into(), line },
            output: output.into(),
        };
        let steps = [
            (
                vec![one("sender[1]", "q!3", 12, ""), one("p[0]", "q?x", 4, "")],
                vec![Change::Variable {
                    process: Some("p[0]".into()),
                    name: "x".into(),
                    old: "0".into(),
                    new: "3".into(),
                }],
            ),
            (vec![one("p[0]", "printf(\"hi\\n\")", 5, "hi\n")], vec![Change::Ended("sender[1]".into())]),
        ];
        let mut widths = Widths { numbers: 3, ..Widths::default() };
        steps.iter().flat_map(|(moves, _)| moves).for_each(|one| widths.fit(one));
        let mut page = Vec::new();
        for ((moves, changes), number) in steps.iter().zip(1..) {
            step(&mut page, &widths, number, moves, changes, false).expect("a page can be written");
        }
        let expected = "  1  sender[1]  m.pml:12  q!3
     p[0]       m.pml:4   q?x
                            p[0].x: 0 → 3
  2  p[0]       m.pml:5   printf(\"hi\\n\")
                            prints: hi
                            sender[1] ends
";
        assert_eq!(String::from_utf8(page).as_deref(), Ok(expected));
    }
}
