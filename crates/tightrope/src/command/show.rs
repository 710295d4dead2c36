//! `tightrope show`: the model as understood.

use crate::amount::counted;
use crate::arguments::ShowOptions;
use crate::output::{print, print_json};
use crate::verdict_scope::texts;
use crate::{Exit, language};
use serde_json::{Value, json};
use std::fmt::Write;
use tightrope_core::{Field, Format};
use tightrope_ir::StepKind;
use tightrope_ir::{
    Automaton, AutomatonLocation, Object, Process, Program, ReadWriteSet, Rule, RuleSet, Source, Transition,
};

/// Runs the command.
pub fn run(options: &ShowOptions) -> Result<Exit, String> {
    let loaded = language::load(&options.model, None)?;
    let nothing = Program { schema: loaded.model.schema().clone(), ..Program::default() };
    let program = loaded.program.as_deref().unwrap_or(&nothing);
    let initial = loaded.initial();
    if options.json {
        let mut value = json!({
            "tool": "tightrope",
            "version": env!("CARGO_PKG_VERSION"),
            "command": "show",
            "model": {
                "path": options.model.model.display().to_string(),
                "language": loaded.language.name,
                "vector_bytes": initial.len(),
                "packed_bits": loaded.model.schema().packed_bits(&initial),
            },
            "unchecked": texts(&loaded.unchecked),
        });
        value["globals"] = program.schema.fixed.iter().map(field_json).collect();
        value["channels"] = channels_json(program, &program.global_channels);
        value["processes"] = (0..program.processes.len()).map(|kind| process_json(program, kind)).collect();
        if let Some(rules) = &program.rules {
            if !rules.automata.is_empty() {
                value["processes"] = rules.automata.iter().map(automaton_json).collect();
            }
            value["rules"] = rules.rules.iter().map(|rule| rule_json(program, rules, rule)).collect();
            value["invariants"] = rules.invariants.iter().map(|one| one.name.clone()).collect();
        }
        print_json(&value)?;
        return Ok(Exit::Holds);
    }
    let mut text = format!(
        "{}: {}, initial state of {} bytes ({} bits when packed)\n",
        options.model.model.display(),
        loaded.language.name,
        initial.len(),
        loaded.model.schema().packed_bits(&initial)
    );
    for claim in &loaded.unchecked {
        let _ = writeln!(text, "not checked: {}", claim.text);
    }
    let _ = writeln!(text, "\nglobals, {} bytes", program.schema.fixed_size);
    fields_text(&mut text, &program.schema.fixed);
    channels_text(&mut text, program, &program.global_channels);
    for kind in 0..program.processes.len() {
        process_text(&mut text, program, kind);
    }
    if let Some(rules) = &program.rules {
        rules_text(&mut text, program, rules);
    }
    print(&text)?;
    Ok(Exit::Holds)
}

fn rules_text(text: &mut String, program: &Program, rules: &RuleSet) {
    if let Some(symmetry) = &rules.symmetry {
        let names = symmetry.names.iter().map(String::as_str).chain(std::iter::repeat("(unnamed)"));
        text.push('\n');
        for (name, &size) in names.zip(&symmetry.sets) {
            let _ = writeln!(text, "scalarset {name}, {}", counted(size.into(), "element"));
        }
    }
    for automaton in &rules.automata {
        let state =
            |spot: &AutomatonLocation| format!("{}{}", spot.name, if spot.committed { " (committed)" } else { "" });
        let states: Vec<String> = automaton.locations.iter().map(state).collect();
        let _ = writeln!(text, "\nprocess {}: {}", automaton.name, states.join(", "));
    }
    let _ = writeln!(text, "\n{}", counted(rules.rules.len() as u64, "rule"));
    for rule in &rules.rules {
        let (params, reads, writes) = rule_facts(program, rules, rule);
        let combinations: u64 = rule.params.iter().map(|param| param.count()).product();
        let instances = match params.is_empty() {
            true => String::new(),
            false => format!("  ({})  {}", params.join(", "), counted(combinations, "instance")),
        };
        let _ = writeln!(text, "  {}  \"{}\"{instances}", place(program, rule.source), rule.name);
        let _ = writeln!(text, "           reads {{{}}} writes {{{}}}", reads.join(", "), writes.join(", "));
    }
    let _ = writeln!(text, "\n{}", counted(rules.invariants.len() as u64, "invariant"));
    for invariant in &rules.invariants {
        let _ = writeln!(text, "  {}  \"{}\"", place(program, invariant.source), invariant.name);
    }
}

fn rule_facts(program: &Program, rules: &RuleSet, rule: &Rule) -> (Vec<String>, Vec<String>, Vec<String>) {
    let access = ReadWriteSet::of_rule(rules, rule);
    let name = |object: &Object| match object {
        Object::Global(number) => program.globals.get(*number as usize).cloned().unwrap_or_default(),
        // A routine may refer to anything that it was given.
        _ => String::from("by reference"),
    };
    let mut params: Vec<_> = rule.params.iter().collect();
    params.sort_by_key(|param| param.slot);
    let params = params.iter().map(|param| param.name.clone()).collect();
    (params, access.reads.iter().map(name).collect(), access.writes.iter().map(name).collect())
}

fn automaton_json(automaton: &Automaton) -> Value {
    let state = |spot: &AutomatonLocation| json!({"name": spot.name, "committed": spot.committed});
    json!({"name": automaton.name, "states": automaton.locations.iter().map(state).collect::<Vec<_>>()})
}

fn rule_json(program: &Program, rules: &RuleSet, rule: &Rule) -> Value {
    let (params, reads, writes) = rule_facts(program, rules, rule);
    json!({
        "name": rule.name,
        "at": place(program, rule.source),
        "parameters": params,
        "reads": reads,
        "writes": writes,
    })
}

fn fields_text(text: &mut String, fields: &[Field]) {
    let widest = fields.iter().map(|field| field.name.chars().count()).max().unwrap_or(0).min(40);
    for field in fields {
        let _ = writeln!(text, "  {:>5}  {:widest$}  {}", field.offset, field.name, values_text(field));
    }
}

/// The values that a field can have, as a counterexample shows them.
fn values_text(field: &Field) -> String {
    let (low, high) = field.range;
    match &field.format {
        Format::Number | Format::Hidden => format!("{low}..{high}"),
        Format::Bool => "false, true".into(),
        Format::Names(_) => {
            let names = names_of(field);
            match names.len() {
                0..=MAX_NAMES => names.join(", "),
                count => format!("{}, … {} ({count} values)", names[..2].join(", "), names[count - 1]),
            }
        }
        Format::Defined { low: first } if low == 0 => {
            format!("undefined, {first}..{}", i64::from(*first) + i64::from(high) - 1)
        }
        Format::Defined { low: first } => format!("{}..{}", low - 1 + first, high - 1 + first),
        Format::Queue { slots, .. } => format!("number of messages, at most {slots}"),
        Format::Bag { .. } => "whether the slot is used".into(),
    }
}

/// More names than this are not listed one by one.
const MAX_NAMES: usize = 8;

/// The names of a field's values, where values have names.
fn names_of(field: &Field) -> Vec<String> {
    let (low, high) = field.range;
    match &field.format {
        Format::Bool => vec!["false".into(), "true".into()],
        Format::Names(names) => {
            let named = |value: i32| usize::try_from(value).is_ok_and(|value| value < names.len());
            (low..=high).take_while(|&value| named(value)).filter_map(|value| field.format.show(value)).collect()
        }
        _ => Vec::new(),
    }
}

fn channels_text(text: &mut String, program: &Program, channels: &[tightrope_ir::OwnedChannel]) {
    for owned in channels {
        let channel = &program.channels[owned.channel as usize];
        let kind = match channel.capacity {
            0 => String::from("rendezvous"),
            1 => String::from("1 slot"),
            slots => format!("{slots} slots"),
        };
        let _ = writeln!(text, "  channel {}: {kind} of {} fields", owned.name, channel.fields.len());
    }
}

fn process_text(text: &mut String, program: &Program, kind: usize) {
    let process = &program.processes[kind];
    let schema = &program.schema.kinds[kind];
    let started = program.start.iter().filter(|start| usize::from(start.kind) == kind).count();
    let _ = writeln!(text, "\nprocess {}, {} bytes, {started} from the start", process.name, schema.size);
    fields_text(text, &schema.fields);
    channels_text(text, program, &process.channels);
    for (number, location) in process.locations.iter().enumerate() {
        let mut marks: Vec<&str> = location.labels.iter().map(String::as_str).collect();
        if location.end {
            marks.push("(end)");
        }
        let _ = writeln!(text, "  location {number} {}", marks.join(" "));
        let transitions = &process.transitions[location.first as usize..(location.first + location.count) as usize];
        for one in transitions {
            let control = if one.keeps_control { ", keeps control" } else { "" };
            let escape = if one.escape > 0 { ", escape" } else { "" };
            let _ = writeln!(
                text,
                "    → {:<4} {}  {}  [{}{control}{escape}]",
                one.target,
                place(program, one.source),
                one.text,
                kind_name(one.kind)
            );
            let (reads, writes) = access(program, process, one);
            if !reads.is_empty() || !writes.is_empty() {
                let _ = writeln!(text, "           reads {{{}}} writes {{{}}}", reads.join(", "), writes.join(", "));
            }
        }
    }
}

fn place(program: &Program, source: Source) -> String {
    format!("{}:{}", program.files.get(source.file as usize).map_or("", String::as_str), source.line)
}

fn kind_name(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Control => "control",
        StepKind::Receive => "receive",
        StepKind::Send => "send",
        StepKind::Assign => "assignment",
        StepKind::Other => "other",
    }
}

fn access(program: &Program, process: &Process, transition: &Transition) -> (Vec<String>, Vec<String>) {
    let name = |object: &Object| {
        let at = |names: &[String], index: u32| names.get(index as usize).cloned().unwrap_or("(unnamed)".into());
        let channel = |channels: &[tightrope_ir::OwnedChannel], index: u32| {
            channels.get(index as usize).map_or(String::new(), |channel| channel.name.clone())
        };
        match object {
            Object::Global(index) => at(&program.globals, *index),
            Object::Own(index) => format!("own {}", at(&process.variables, *index)),
            Object::Remote(kind, index) => {
                let other = &program.processes[usize::from(*kind)];
                format!("{}:{}", other.name, at(&other.variables, *index))
            }
            Object::Channel(index) => channel(&program.global_channels, *index),
            Object::OwnChannel(index) => format!("own {}", channel(&process.channels, *index)),
            Object::AnyChannel => "any channel".into(),
            Object::Processes => "the processes".into(),
            Object::Control => "where processes are".into(),
            Object::Everything => "everything".into(),
        }
    };
    let access = ReadWriteSet::of(&transition.action);
    (access.reads.iter().map(name).collect(), access.writes.iter().map(name).collect())
}

fn field_json(field: &Field) -> Value {
    json!({
        "name": field.name,
        "offset": field.offset,
        "bytes": field.repr.size(),
        "bits": field.bits(),
        "range": [field.range.0, field.range.1],
        "values": Some(names_of(field)).filter(|names| !names.is_empty()),
    })
}

fn channels_json(program: &Program, channels: &[tightrope_ir::OwnedChannel]) -> Value {
    let one = |owned: &tightrope_ir::OwnedChannel| {
        let channel = &program.channels[owned.channel as usize];
        json!({"name": owned.name, "capacity": channel.capacity, "fields": channel.fields.len()})
    };
    channels.iter().map(one).collect()
}

fn process_json(program: &Program, kind: usize) -> Value {
    let process = &program.processes[kind];
    let schema = &program.schema.kinds[kind];
    let transitions = |location: &tightrope_ir::Location| -> Vec<Value> {
        let range = location.first as usize..(location.first + location.count) as usize;
        let one = |transition: &Transition| {
            let (reads, writes) = access(program, process, transition);
            json!({
                "to": transition.target,
                "statement": transition.text,
                "at": place(program, transition.source),
                "kind": kind_name(transition.kind),
                "keeps_control": transition.keeps_control,
                "escape": transition.escape > 0,
                "reads": reads,
                "writes": writes,
            })
        };
        process.transitions[range].iter().map(one).collect()
    };
    let locations: Vec<Value> = process
        .locations
        .iter()
        .map(|location| json!({"labels": location.labels, "end": location.end, "transitions": transitions(location)}))
        .collect();
    json!({
        "name": process.name,
        "bytes": schema.size,
        "started": program.start.iter().filter(|start| usize::from(start.kind) == kind).count(),
        "variables": schema.fields.iter().map(field_json).collect::<Vec<_>>(),
        "channels": channels_json(program, &process.channels),
        "locations": locations,
    })
}
