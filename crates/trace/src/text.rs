//! A replayed trace as text for people.

use crate::{Change, Replayed, Value};
use std::fmt::Write;
use tightrope_core::{Place, StepText};

/// The trace as text: numbered steps, who moves, where and what, what changes, what is printed; then the fault and the
/// variables at the end.
///
/// ```text
///   1  sender[1]  m.pml:12  q!msg
///                             q[0].0: 0 → 3
/// ```
pub fn render(replayed: &Replayed) -> String {
    let moves = || replayed.steps.iter().flat_map(|step| &step.moves);
    let actors = moves().map(|one| one.actor.chars().count()).max().unwrap_or(0);
    let places = moves().map(|one| place(&one.at).chars().count()).max().unwrap_or(0);
    let numbers = replayed.steps.len().to_string().len().max(3);
    let indent = numbers + 2 + if actors > 0 { actors + 2 } else { 0 } + if places > 0 { places + 2 } else { 0 } + 2;
    let mut text = String::new();
    if let Some(start) = &replayed.start {
        let mut line = format!("{:>numbers$}  ", 0);
        columns(&mut line, start, actors, places.max(place(&start.at).chars().count()));
        let _ = writeln!(text, "{}", line.trim_end());
        for Value { process, name, value } in &replayed.first {
            let _ = writeln!(text, "{:indent$}{} = {value}", "", qualified(process.as_deref(), name));
        }
    }
    for (number, step) in replayed.steps.iter().enumerate() {
        if step.moves.is_empty() {
            let _ = writeln!(text, "{:>numbers$}", number + 1);
        }
        for (nth, one) in step.moves.iter().enumerate() {
            let number = if nth == 0 { (number + 1).to_string() } else { String::new() };
            let mut line = format!("{number:>numbers$}  ");
            columns(&mut line, one, actors, places);
            let _ = writeln!(text, "{}", line.trim_end());
            for printed in one.output.lines() {
                let _ = writeln!(text, "{:indent$}prints: {printed}", "");
            }
        }
        for change in &step.changes {
            let _ = writeln!(text, "{:indent$}{}", "", describe(change));
        }
    }
    let fault = &replayed.fault;
    let _ = write!(text, "{}: {}", fault.kind.name(), fault.message);
    let at = place(&fault.at);
    let _ = if at.is_empty() { writeln!(text) } else { writeln!(text, " ({at})") };
    if !replayed.last.is_empty() {
        let _ = writeln!(text, "at the end:");
        for Value { process, name, value } in &replayed.last {
            let _ = writeln!(text, "  {} = {value}", qualified(process.as_deref(), name));
        }
    }
    if !replayed.standing.is_empty() {
        let actors = replayed.standing.iter().map(|one| one.actor.chars().count()).max().unwrap_or(0);
        let places = replayed.standing.iter().map(|one| place(&one.at).chars().count()).max().unwrap_or(0);
        let _ = writeln!(text, "standing at:");
        for one in &replayed.standing {
            let mut line = String::from("  ");
            columns(&mut line, one, actors, places);
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    text
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
    use crate::ReplayedStep;
    use tightrope_core::{Fault, FaultKind, Step};

    #[test]
    fn a_page() {
        let at = |line| Place { file: "m.pml".into(), line };
        let one = |actor: &str, action: &str, line, output: &str| StepText {
            actor: actor.into(),
            action: action.into(),
            at: at(line),
            output: output.into(),
        };
        let replayed = Replayed {
            first: Vec::new(),
            steps: vec![
                ReplayedStep {
                    step: Step::default(),
                    moves: vec![one("sender[1]", "q!3", 12, ""), one("p[0]", "q?x", 4, "")],
                    changes: vec![Change::Variable {
                        process: Some("p[0]".into()),
                        name: "x".into(),
                        old: "0".into(),
                        new: "3".into(),
                    }],
                },
                ReplayedStep {
                    step: Step::default(),
                    moves: vec![one("p[0]", "printf(\"hi\\n\")", 5, "hi\n")],
                    changes: vec![Change::Ended("sender[1]".into())],
                },
            ],
            start: None,
            standing: Vec::new(),
            last: vec![Value { process: None, name: "n".into(), value: "7".into() }],
            fault: Fault { kind: FaultKind::Assertion, message: "assertion violated: x < 3".into(), at: at(6) },
        };
        let expected = "  1  sender[1]  m.pml:12  q!3
     p[0]       m.pml:4   q?x
                            p[0].x: 0 → 3
  2  p[0]       m.pml:5   printf(\"hi\\n\")
                            prints: hi
                            sender[1] ends
assertion: assertion violated: x < 3 (m.pml:6)
at the end:
  n = 7
";
        assert_eq!(render(&replayed), expected);
    }
}
