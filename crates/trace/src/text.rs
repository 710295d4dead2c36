//! A trace as text for people.

use crate::{Change, Replay, Taken, Value, values};
use std::collections::VecDeque;
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
pub struct TextOptions<'g> {
    /// Every step, also of a long one.
    pub all: bool,
    /// Whether there is time to go on; asked before every step.
    pub goes_on: &'g dyn Fn() -> bool,
}

/// A step to be shown: its number, its moves, and what changes.
type Shown = (usize, Moves, Vec<Change>);

/// So many moves are kept to be shown later; where there are more, the steps are executed once more.
const KEPT: usize = 1000;

/// What is shown of the moves of a step: the first and the last of them, in no more memory than these take.
struct Moves {
    first: Vec<StepText>,
    last: VecDeque<StepText>,
    count: usize,
}

impl Moves {
    fn of(taken: &Taken<'_>) -> Moves {
        let mut moves = Moves { first: Vec::new(), last: VecDeque::new(), count: 0 };
        taken.moves(&mut |one| moves.push(one));
        moves
    }

    fn push(&mut self, one: StepText) {
        self.count += 1;
        if self.first.len() < SHOWN_STEPS {
            return self.first.push(one);
        }
        if self.last.len() == SHOWN_STEPS {
            self.last.pop_front();
        }
        self.last.push_back(one);
    }

    fn iter(&self) -> impl Iterator<Item = &StepText> {
        self.first.iter().chain(&self.last)
    }

    /// How many are left out between the first and the last.
    fn left_out(&self) -> usize {
        self.count - self.first.len() - self.last.len()
    }
}

/// Writes a counterexample as text: numbered steps, who moves, where and what, what changes, what is printed; then the fault
/// and the variables at the end. Of many steps, and of many moves of one step, those in the middle are left out, unless all are
/// asked for.
///
/// ```text
///   1  sender[1]  m.pml:12  q!msg
///                             q[0].0: 0 → 3
/// ```
pub fn write(model: &dyn Model, violation: &Violation, how: TextOptions<'_>, out: &mut dyn Write) -> io::Result<()> {
    let count = violation.trace.steps.len();
    let cut = Cut { count, all: how.all };
    let mut widths = Widths { numbers: count.to_string().len().max(3), ..Widths::default() };
    // What is looked at for the widths is kept, unless it is much: a step may take long to execute.
    let mut kept = 0;
    let mut shown: Option<Vec<Shown>> = (count <= 2 * SHOWN_STEPS).then(Vec::new);
    let mut replay = Replay::new(model, &violation.trace).map_err(io::Error::other)?;
    while (how.goes_on)()
        && let Some(taken) = replay.advance().map_err(io::Error::other)?
    {
        if cut.shows(taken.number) {
            let moves = Moves::of(&taken);
            moves.iter().for_each(|one| widths.fit(one));
            kept += moves.first.len() + moves.last.len();
            let is_whole = !how.all || moves.left_out() == 0;
            shown = shown.filter(|_| kept <= KEPT && is_whole);
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
            step(out, &widths, *number, moves)?;
            changed(out, &widths, changes)?;
            last = *number;
        }
    } else {
        replay = at_start;
        while (how.goes_on)()
            && let Some(taken) = replay.advance().map_err(io::Error::other)?
        {
            if cut.shows(taken.number) {
                if how.all {
                    every_move(out, &widths, &taken, how)?;
                } else {
                    step(out, &widths, taken.number, &Moves::of(&taken))?;
                }
                changed(out, &widths, &taken.changes())?;
            } else if let Some(left_out) = cut.gap(taken.number) {
                gap(out, &widths, left_out, "steps")?;
            }
            last = taken.number;
        }
    }
    if last < count {
        return no_time(out, &widths, count - last, "step");
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

/// The moves of a step; of many, those in the middle are left out.
fn step(out: &mut dyn Write, widths: &Widths, number: usize, moves: &Moves) -> io::Result<()> {
    if moves.count == 0 {
        writeln!(out, "{number:>width$}", width = widths.numbers)?;
    }
    for (nth, one) in moves.iter().enumerate() {
        if nth == moves.first.len() && moves.left_out() > 0 {
            gap(out, widths, moves.left_out(), "moves of this step")?;
        }
        one_move(out, widths, (nth == 0).then_some(number), one)?;
    }
    Ok(())
}

/// All moves of a step, each written as it is made, as long as there is time.
fn every_move(out: &mut dyn Write, widths: &Widths, taken: &Taken<'_>, how: TextOptions<'_>) -> io::Result<()> {
    let (mut written, mut count, mut left_out) = (Ok(()), 0usize, 0usize);
    taken.moves(&mut |one| {
        count += 1;
        if count > 2 * SHOWN_STEPS && !(how.goes_on)() {
            left_out += 1;
        } else if written.is_ok() {
            written = one_move(out, widths, (count == 1).then_some(taken.number), &one);
        }
    });
    written?;
    if count == 0 {
        writeln!(out, "{:>width$}", taken.number, width = widths.numbers)?;
    }
    if left_out > 0 {
        no_time(out, widths, left_out, "move")?;
    }
    Ok(())
}

/// A move, with the number of its step if it is the first, and what it prints.
fn one_move(out: &mut dyn Write, widths: &Widths, number: Option<usize>, one: &StepText) -> io::Result<()> {
    let number = number.map_or_else(String::new, |number| number.to_string());
    line(out, widths, &number, one, widths.places)?;
    let indent = widths.indent();
    one.output.lines().try_for_each(|printed| writeln!(out, "{:indent$}prints: {printed}", ""))
}

/// What a step changes.
fn changed(out: &mut dyn Write, widths: &Widths, changes: &[Change]) -> io::Result<()> {
    let indent = widths.indent();
    changes.iter().try_for_each(|change| writeln!(out, "{:indent$}{}", "", describe(change)))
}

/// A line that says how many are missing for want of time.
fn no_time(out: &mut dyn Write, widths: &Widths, left_out: usize, what: &str) -> io::Result<()> {
    let plural = if left_out == 1 { "" } else { "s" };
    writeln!(out, "{:>width$}  no time was left to show {left_out} more {what}{plural}", "…", width = widths.numbers)
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
            let mut shown = Moves { first: Vec::new(), last: VecDeque::new(), count: 0 };
            moves.iter().for_each(|one| shown.push(one.clone()));
            step(&mut page, &widths, number, &shown).expect("a page can be written");
            changed(&mut page, &widths, changes).expect("a page can be written");
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
