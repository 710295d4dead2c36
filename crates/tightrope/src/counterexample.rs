//! Counterexamples as JSON, in the report and in files. They are written step by step: a long one takes no more memory than a
//! short one.

use crate::arguments::ModelOptions;
use crate::language::Loaded;
use crate::shape::MeasuredShape;
use crate::watchdog;
use serde::de::{SeqAccess, Visitor};
use serde::ser::{Error as _, SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::cell::RefCell;
use std::path::PathBuf;
use tightrope_core::{Fault, FaultKind, Model, Place, Step, StepText, Steps, Trace, Violation};
use tightrope_syntax::Override;
use tightrope_trace::{Change, Replay, Taken, values};

/// A report with what may be long and is therefore written piece by piece.
pub struct Report<'a> {
    /// The report, an object.
    pub value: &'a Value,
    /// The counterexample.
    pub violation: Option<Counterexample<'a>>,
    /// What was measured: the values of `level_widths` and `locality`.
    pub shape: Option<MeasuredShape<'a>>,
}

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.value.as_object().into_iter().flatten() {
            match (&self.violation, &self.shape) {
                (Some(violation), _) if name == "violation" => map.serialize_entry(name, violation)?,
                (_, Some(shape)) if name == "level_widths" => map.serialize_entry(name, &shape.widths())?,
                (_, Some(shape)) if name == "locality" => map.serialize_entry(name, &shape.locality())?,
                _ => map.serialize_entry(name, value)?,
            }
        }
        map.end()
    }
}

/// A counterexample, which was replayed once already.
#[derive(Clone, Copy)]
pub struct Counterexample<'a> {
    /// What it is one of.
    pub model: &'a dyn Model,
    /// The fault and the way to it.
    pub violation: &'a Violation,
}

impl Serialize for Counterexample<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Counterexample { model, violation: Violation { fault, trace } } = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", fault.kind.name())?;
        map.serialize_entry("message", &fault.message)?;
        map.serialize_entry("at", &place_json(&fault.at))?;
        map.serialize_entry("length", &trace.steps.len())?;
        let replay = Replay::new(model, trace).map_err(S::Error::custom)?;
        map.serialize_entry("start", &Start { trace, replay: &replay })?;
        let steps = ReplayedSteps(RefCell::new(replay));
        map.serialize_entry("trace", &steps)?;
        // Where there was no time for all steps, nobody knows where they lead.
        let replay = steps.0.borrow();
        let standing = replay.is_at_end().then(|| model.standing(replay.state()));
        let standing = standing.map(|standing| standing.iter().map(move_json).collect::<Vec<_>>());
        map.serialize_entry("standing", &standing)?;
        map.end()
    }
}

/// How a trace starts.
struct Start<'a> {
    trace: &'a Trace,
    replay: &'a Replay<'a>,
}

impl Serialize for Start<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let model = self.replay.model();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("text", &model.describe_initial(self.trace.initial).map(|start| start.action))?;
        map.serialize_entry("values", &Values(self.replay))?;
        map.end()
    }
}

/// The variables of the present state.
struct Values<'a>(&'a Replay<'a>);

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = values(self.0.model().schema(), self.0.state());
        serializer.collect_seq(
            values.map(|value| json!({"process": value.process, "variable": value.name, "value": value.value})),
        )
    }
}

/// The steps that are left.
struct ReplayedSteps<'a>(RefCell<Replay<'a>>);

impl Serialize for ReplayedSteps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let mut replay = self.0.borrow_mut();
        let goes_on = watchdog::report_goes_on();
        while goes_on()
            && let Some(taken) = replay.advance().map_err(S::Error::custom)?
        {
            list.serialize_element(&StepJson { taken: &taken, goes_on: &goes_on })?;
        }
        list.end()
    }
}

/// A step.
struct StepJson<'a> {
    taken: &'a Taken<'a>,
    goes_on: &'a dyn Fn() -> bool,
}

impl Serialize for StepJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("moves", &Moves(self))?;
        let changes: Vec<Value> = self.taken.changes().iter().map(change_json).collect();
        map.serialize_entry("changes", &changes)?;
        map.end()
    }
}

/// The moves of a step, of which an atomic one may have very many. Each becomes JSON as it is made; where the time is up, those that
/// are left are not written.
struct Moves<'a>(&'a StepJson<'a>);

impl Serialize for Moves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let StepJson { taken, goes_on } = self.0;
        let mut list = serializer.serialize_seq(None)?;
        let (mut written, mut count) = (Ok(()), 0u64);
        taken.moves(&mut |one| {
            count += 1;
            if written.is_ok() && (count < OFTEN || goes_on()) {
                written = list.serialize_element(&move_json(&one));
            }
        });
        written?;
        list.end()
    }
}

/// From so many moves of a step on, the time is looked at.
const OFTEN: u64 = 1000;

/// A place, or nothing where there is none.
pub fn place_json(at: &Place) -> Value {
    if at.line > 0 { json!({"file": at.file, "line": at.line}) } else { Value::Null }
}

fn move_json(one: &StepText) -> Value {
    let placed = one.at.line > 0;
    let mut value = json!({
        "process": one.actor,
        "file": placed.then_some(&one.at.file),
        "line": placed.then_some(one.at.line),
        "statement": one.action,
    });
    if !one.output.is_empty() {
        value["output"] = one.output.clone().into();
    }
    value
}

fn change_json(change: &Change) -> Value {
    match change {
        Change::Variable { process, name, old, new } => {
            json!({"process": process, "variable": name, "old": old, "new": new})
        }
        Change::Started(process) => json!({"started": process}),
        Change::Ended(process) => json!({"ended": process}),
    }
}

/// What a trace file contains: the steps, and what is needed to read the same model again.
#[derive(Debug, Deserialize, Serialize)]
pub struct TraceFile<'a> {
    tool: String,
    /// The version of the form.
    trace: u32,
    /// The model's file, as the user named it.
    pub model: String,
    pub language: String,
    /// A hash of the model's text.
    #[serde(default)]
    pub hash: Option<String>,
    #[serde(default)]
    define: Vec<String>,
    #[serde(default)]
    include: Vec<PathBuf>,
    #[serde(default)]
    set: Vec<String>,
    #[serde(default)]
    dve_wrap: bool,
    #[serde(default)]
    no_claims: bool,
    fault: SavedFault,
    pub goal: Option<String>,
    initial: u32,
    steps: SavedSteps<'a>,
}

#[derive(Debug, Deserialize, Serialize)]
struct SavedFault {
    kind: String,
    message: String,
    file: String,
    line: u32,
}

/// The version of the form of trace files that is written; older ones can be read.
const VERSION: u32 = 2;

impl<'a> TraceFile<'a> {
    /// A counterexample to be kept.
    pub fn new(options: &ModelOptions, goal: Option<&str>, loaded: &Loaded, violation: &'a Violation) -> TraceFile<'a> {
        let Violation { fault, trace } = violation;
        TraceFile {
            tool: "tightrope".into(),
            trace: VERSION,
            model: options.model.display().to_string(),
            language: loaded.language.name.into(),
            hash: Some(loaded.hash.clone()),
            define: options.define.clone(),
            include: options.include.clone(),
            set: options.set.iter().map(Override::to_string).collect(),
            dve_wrap: options.dve_wrap,
            no_claims: options.no_claims,
            fault: SavedFault {
                kind: fault.kind.name().into(),
                message: fault.message.clone(),
                file: fault.at.file.clone(),
                line: fault.at.line,
            },
            goal: goal.map(String::from),
            initial: trace.initial,
            steps: SavedSteps(Cow::Borrowed(&trace.steps)),
        }
    }

    /// The options to read the model with: those of the file, where the command line does not say otherwise.
    pub fn options(&self, options: &ModelOptions) -> Result<ModelOptions, String> {
        let mut options = options.clone();
        options.language.get_or_insert_with(|| self.language.clone());
        if options.define.is_empty() {
            options.define.clone_from(&self.define);
        }
        if options.include.is_empty() {
            options.include.clone_from(&self.include);
        }
        if options.set.is_empty() {
            let settings = self.set.iter().map(|text| text.parse().map_err(|why| format!("`set`: `{text}`: {why}")));
            options.set = settings.collect::<Result<_, String>>()?;
        }
        options.dve_wrap |= self.dve_wrap;
        options.no_claims |= self.no_claims;
        Ok(options)
    }

    /// The violation that was kept.
    pub fn violation(self) -> Result<Violation, String> {
        let SavedFault { kind, message, file, line } = self.fault;
        if self.trace > VERSION {
            return Err(format!("its form is of version {}, and this program knows those up to {VERSION}", self.trace));
        }
        let kind = FaultKind::from_name(&kind).ok_or_else(|| format!("there is no fault `{kind}`"))?;
        let fault = Fault { kind, message, at: Place { file, line } };
        Ok(Violation { fault, trace: Trace { initial: self.initial, steps: self.steps.0.into_owned() } })
    }
}

/// Steps in a trace file.
#[derive(Debug)]
struct SavedSteps<'a>(Cow<'a, Steps>);

/// A step in a trace file. Its action is a hexadecimal number, since many readers of JSON lose digits beyond 53 bits.
#[derive(Deserialize, Serialize)]
struct SavedStep<'a> {
    action: Cow<'a, str>,
    choice: u32,
}

impl Serialize for SavedSteps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = |step: Step| SavedStep { action: format!("{:x}", step.action).into(), choice: step.choice };
        serializer.collect_seq(self.0.iter().map(saved))
    }
}

impl<'de> Deserialize<'de> for SavedSteps<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Steps;
            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("a list of steps")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Steps, A::Error> {
                let mut steps = Steps::new();
                while let Some(SavedStep { action, choice }) = list.next_element()? {
                    let number = u64::from_str_radix(&action, 16).map_err(|_| {
                        let number = steps.len() + 1;
                        serde::de::Error::custom(format!("step {number}: `{action}` is not a hexadecimal number"))
                    })?;
                    steps.push(Step { action: number, choice });
                }
                Ok(steps)
            }
        }
        deserializer.deserialize_seq(Read).map(|steps| SavedSteps(Cow::Owned(steps)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_is_read_back() {
        let list: Steps = [Step { action: u64::MAX, choice: 2 }, Step::default()].into_iter().collect();
        let text = serde_json::to_string(&SavedSteps(Cow::Borrowed(&list))).expect("JSON");
        let read: SavedSteps<'_> = serde_json::from_str(&text).expect("steps");
        assert_eq!(*read.0, list);
        let wrong = text.replacen("ffff", "x", 1);
        let why = serde_json::from_str::<SavedSteps<'_>>(&wrong).unwrap_err();
        assert!(why.to_string().contains("step 1"), "{why}");
    }
}
