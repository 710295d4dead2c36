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

/// What is shown as one value: a field, or a queue or bag with its messages.
struct Shown<'f> {
    name: &'f str,
    fields: &'f [Field],
}

/// The fields as they are shown, one after the other.
fn shown(fields: &[Field]) -> impl Iterator<Item = Shown<'_>> {
    let mut rest = fields;
    std::iter::from_fn(move || {
        let field = rest.first()?;
        let size = match field.format {
            Format::Queue { slots, fields } => 1 + slots as usize * fields as usize,
            Format::Bag { slots, fields } => slots as usize * (fields as usize + 1),
            _ => 1,
        };
        let (fields, after) = rest.split_at(size.clamp(1, rest.len()));
        rest = after;
        Some(Shown { name: &field.name, fields })
    })
}

impl Shown<'_> {
    /// The bytes that it is kept in.
    fn bytes<'s>(&self, state: &'s [u8], at: usize) -> &'s [u8] {
        let (first, last) = (&self.fields[0], &self.fields[self.fields.len() - 1]);
        let end = at + last.offset as usize + last.repr.size();
        state.get(at + first.offset as usize..end).unwrap_or_default()
    }

    /// Its value in words; none of what is not shown.
    fn value(&self, state: &[u8], at: usize) -> Option<String> {
        let load = |field: &Field| field.repr.load(state, at + field.offset as usize);
        let part = |part: &Field| part.format.show(load(part));
        let field = &self.fields[0];
        match field.format {
            Format::Queue { fields: width, .. } => {
                let waiting = usize::try_from(load(field)).unwrap_or(0);
                let messages = self.fields[1..].chunks(width.max(1) as usize).take(waiting);
                Some(format!("[{}]", listed(messages, part)))
            }
            Format::Bag { fields: width, .. } => {
                let slots = self.fields.chunks(width as usize + 1);
                let used = slots.filter(|slot| load(&slot[0]) != 0).map(|slot| &slot[1..]);
                Some(format!("{{{}}}", listed(used, part)))
            }
            _ => field.format.show(load(field)),
        }
    }
}

/// Things of several parts, one after the other.
fn listed<'f>(things: impl Iterator<Item = &'f [Field]>, part: impl Fn(&Field) -> Option<String>) -> String {
    let thing = |fields: &[Field]| {
        let parts: Vec<String> = fields.iter().filter_map(&part).collect();
        if parts.len() == 1 { parts.concat() } else { format!("({})", parts.join(", ")) }
    };
    things.map(thing).collect::<Vec<_>>().join(", ")
}

/// The values of all variables that are shown, one after the other.
pub fn values<'s>(schema: &'s Schema, state: &'s [u8]) -> impl Iterator<Item = Value> + 's {
    let of = move |process: Option<String>, fields: &'s [Field], at: usize| {
        shown(fields).filter_map(move |shown| {
            let value = shown.value(state, at)?;
            Some(Value { process: process.clone(), name: shown.name.to_string(), value })
        })
    };
    let processes = schema.processes(state).enumerate();
    let of_processes =
        processes.flat_map(move |(number, (kind, at))| of(Some(process_name(&kind.name, number)), &kind.fields, at));
    of(None, &schema.fixed, 0).chain(of_processes)
}

/// What is different in `new`. Processes are told apart by their numbers; one whose kind changed has ended, and another
/// was started in its place.
pub fn differences(schema: &Schema, old: &[u8], new: &[u8]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut compare = |process: &dyn Fn() -> Option<String>, fields: &[Field], old_at: usize, new_at: usize| {
        for shown in shown(fields).filter(|shown| shown.bytes(old, old_at) != shown.bytes(new, new_at)) {
            let (Some(old), Some(new)) = (shown.value(old, old_at), shown.value(new, new_at)) else { continue };
            if old != new {
                changes.push(Change::Variable { process: process(), name: shown.name.to_string(), old, new });
            }
        }
    };
    compare(&|| None, &schema.fixed, 0, 0);
    let (before, after): (Vec<_>, Vec<_>) = (schema.processes(old).collect(), schema.processes(new).collect());
    let (mut ended, mut started) = (Vec::new(), Vec::new());
    for number in 0..before.len().max(after.len()) {
        match (before.get(number), after.get(number)) {
            (Some((old_kind, old_at)), Some((new_kind, new_at))) if std::ptr::eq(*old_kind, *new_kind) => {
                let name = || Some(process_name(&new_kind.name, number));
                compare(&name, &new_kind.fields, *old_at, *new_at);
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
            values(&schema(), &new).nth(2).expect("a value"),
            Value { process: Some("p[0]".into()), name: "x".into(), value: "7".into() }
        );
    }
}
