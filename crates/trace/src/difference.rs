//! What changed from one state to the next, by the names of the schema.

use tightrope_core::Schema;

/// A variable and its value, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The process it belongs to, such as `sender[1]`; none for a global variable.
    pub process: Option<String>,
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A variable has a new value.
    Variable {
        /// The process it belongs to; none for a global variable.
        process: Option<String>,
        /// Its name.
        name: String,
        /// What it was.
        old: String,
        /// What it is.
        new: String,
    },
    /// A process was started.
    Started(String),
    /// A process ended.
    Ended(String),
}

/// The name of a process: that of its kind, and its number.
fn process_name(kind: &str, number: usize) -> String {
    format!("{kind}[{number}]")
}

/// The values of all variables that are shown.
pub fn values(schema: &Schema, state: &[u8]) -> Vec<Value> {
    let names: Vec<String> =
        schema.processes(state).enumerate().map(|(number, (kind, _))| process_name(&kind.name, number)).collect();
    let mut values = Vec::new();
    schema.visit(state, |process, field, at| {
        if let Some(value) = field.format.show(field.repr.load(state, at)) {
            let process = process.map(|number| names[number].clone());
            values.push(Value { process, name: field.name.clone(), value });
        }
    });
    values
}

/// What is different in `new`. Processes are told apart by their numbers; one whose kind changed has ended, and another
/// was started in its place.
pub fn differences(schema: &Schema, old: &[u8], new: &[u8]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut compare = |process: Option<String>, fields: &[tightrope_core::Field], old_at: usize, new_at: usize| {
        for field in fields {
            let before = field.repr.load(old, old_at + field.offset as usize);
            let after = field.repr.load(new, new_at + field.offset as usize);
            if before != after
                && let (Some(before), Some(after)) = (field.format.show(before), field.format.show(after))
            {
                let (process, name) = (process.clone(), field.name.clone());
                changes.push(Change::Variable { process, name, old: before, new: after });
            }
        }
    };
    compare(None, &schema.fixed, 0, 0);
    let (before, after): (Vec<_>, Vec<_>) = (schema.processes(old).collect(), schema.processes(new).collect());
    let (mut ended, mut started) = (Vec::new(), Vec::new());
    for number in 0..before.len().max(after.len()) {
        match (before.get(number), after.get(number)) {
            (Some((old_kind, old_at)), Some((new_kind, new_at))) if std::ptr::eq(*old_kind, *new_kind) => {
                compare(Some(process_name(&new_kind.name, number)), &new_kind.fields, *old_at, *new_at);
            }
            (gone, come) => {
                ended.extend(gone.map(|(kind, _)| Change::Ended(process_name(&kind.name, number))));
                started.extend(come.map(|(kind, _)| Change::Started(process_name(&kind.name, number))));
            }
        }
    }
    changes.extend(ended);
    changes.extend(started);
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use tightrope_core::{Component, Field, Format, ProcessKind, Repr};

    fn field(name: &str, offset: u32, format: Format) -> Field {
        let component = (Component::Globals, 0);
        Field { name: name.into(), offset, repr: Repr::U8, range: (0, 255), component, format }
    }

    fn schema() -> Schema {
        let kind = |name: &str| ProcessKind {
            name: name.into(),
            size: 2,
            fields: vec![field("pc", 0, Format::Hidden), field("x", 1, Format::Number)],
        };
        let names = Format::Names(vec!["idle".to_string(), "busy".to_string()].into());
        let fixed = vec![field("flag", 0, Format::Bool), field("mode", 1, names)];
        Schema { fixed_size: 2, fixed, kinds: vec![kind("p"), kind("q")] }
    }

    #[test]
    fn only_what_changed_and_is_shown() {
        let old = [0, 0, 2, 0, 1, 5, 6, 7, 8];
        let new = [1, 1, 1, 0, 9, 7];
        let variable = |process: Option<&str>, name: &str, old: &str, new: &str| Change::Variable {
            process: process.map(String::from),
            name: name.into(),
            old: old.into(),
            new: new.into(),
        };
        let expected = [
            variable(None, "flag", "false", "true"),
            variable(None, "mode", "idle", "busy"),
            variable(Some("p[0]"), "x", "6", "7"),
            Change::Ended("q[1]".into()),
        ];
        assert_eq!(differences(&schema(), &old, &new), expected);
        assert_eq!(differences(&schema(), &new, &old)[3], Change::Started("q[1]".into()));
        assert_eq!(
            values(&schema(), &new)[2],
            Value { process: Some("p[0]".into()), name: "x".into(), value: "7".into() }
        );
    }
}
