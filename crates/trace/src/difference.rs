//! What changed from one state to the next, by the names of the schema.

use tightrope_core::{Field, Format, Schema};

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

/// The names and values of the fields that are shown; a queue and its messages are one.
fn shown<'f>(fields: &'f [Field], state: &[u8], at: usize) -> Vec<(&'f str, String)> {
    let load = |field: &Field| field.repr.load(state, at + field.offset as usize);
    let mut values = Vec::new();
    let mut rest = fields;
    while let [field, after @ ..] = rest {
        rest = after;
        let part = |part: &Field| part.format.show(load(part));
        if let Format::Queue { slots, fields: width } = field.format {
            let (messages, after) = after.split_at((slots as usize * width as usize).min(after.len()));
            rest = after;
            let waiting = usize::try_from(load(field)).unwrap_or(0);
            let messages = messages.chunks(width.max(1) as usize).take(waiting);
            values.push((field.name.as_str(), format!("[{}]", listed(messages, part))));
        } else if let Format::Bag { slots, fields: width } = field.format {
            let size = (slots as usize * (width as usize + 1)).min(rest.len() + 1);
            let (all, after) = fields[fields.len() - rest.len() - 1..].split_at(size);
            rest = after;
            let used = all.chunks(width as usize + 1).filter(|slot| load(&slot[0]) != 0).map(|slot| &slot[1..]);
            values.push((field.name.as_str(), format!("{{{}}}", listed(used, part))));
        } else if let Some(value) = field.format.show(load(field)) {
            values.push((field.name.as_str(), value));
        }
    }
    values
}

/// Things of several parts, one after the other.
fn listed<'f>(things: impl Iterator<Item = &'f [Field]>, part: impl Fn(&Field) -> Option<String>) -> String {
    let thing = |fields: &[Field]| {
        let parts: Vec<String> = fields.iter().filter_map(&part).collect();
        if parts.len() == 1 { parts.concat() } else { format!("({})", parts.join(", ")) }
    };
    things.map(thing).collect::<Vec<_>>().join(", ")
}

/// The values of all variables that are shown.
pub fn values(schema: &Schema, state: &[u8]) -> Vec<Value> {
    let mut values = Vec::new();
    let mut add = |process: Option<String>, fields: &[Field], at: usize| {
        for (name, value) in shown(fields, state, at) {
            values.push(Value { process: process.clone(), name: name.to_string(), value });
        }
    };
    add(None, &schema.fixed, 0);
    for (number, (kind, at)) in schema.processes(state).enumerate() {
        add(Some(process_name(&kind.name, number)), &kind.fields, at);
    }
    values
}

/// What is different in `new`. Processes are told apart by their numbers; one whose kind changed has ended, and another
/// was started in its place.
pub fn differences(schema: &Schema, old: &[u8], new: &[u8]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut compare = |process: Option<String>, fields: &[Field], old_at: usize, new_at: usize| {
        for ((name, before), (_, after)) in shown(fields, old, old_at).into_iter().zip(shown(fields, new, new_at)) {
            if before != after {
                let (process, name) = (process.clone(), name.to_string());
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
    use tightrope_core::{Component, ProcessKind, Repr};

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
