//! What a trace file contains. Plain strings and numbers, so that whoever writes the file picks its form.

use tightrope_core::{Fault, FaultKind, Place, Step, Trace, Violation};

/// A counterexample to be kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// The model's file, as the user named it.
    pub model: String,
    /// Its language.
    pub language: String,
    /// The number of the initial state.
    pub initial: u32,
    /// The steps.
    pub steps: Vec<SavedStep>,
    /// The kind of the fault.
    pub kind: String,
    /// The fault in words.
    pub message: String,
    /// The file in which the fault is.
    pub file: String,
    /// The line; 0 where there is none.
    pub line: u32,
}

/// A step to be kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedStep {
    /// Who does what: hexadecimal, since many readers of JSON lose digits of numbers beyond 53 bits.
    pub action: String,
    /// Which of the outcomes.
    pub choice: u32,
}

impl Saved {
    /// A violation of a model, to be kept.
    pub fn new(model: &str, language: &str, violation: &Violation) -> Saved {
        let step = |step: &Step| SavedStep { action: format!("{:x}", step.action), choice: step.choice };
        Saved {
            model: model.to_string(),
            language: language.to_string(),
            initial: violation.trace.initial,
            steps: violation.trace.steps.iter().map(step).collect(),
            kind: violation.fault.kind.name().to_string(),
            message: violation.fault.message.clone(),
            file: violation.fault.at.file.clone(),
            line: violation.fault.at.line,
        }
    }

    /// The violation that was kept.
    pub fn violation(&self) -> Result<Violation, String> {
        let kind = FaultKind::from_name(&self.kind).ok_or_else(|| format!("there is no fault `{}`", self.kind))?;
        let steps: Result<Vec<Step>, String> = self.steps.iter().enumerate().map(SavedStep::read).collect();
        let at = Place { file: self.file.clone(), line: self.line };
        let fault = Fault { kind, message: self.message.clone(), at };
        Ok(Violation { fault, trace: Trace { initial: self.initial, steps: steps? } })
    }
}

impl SavedStep {
    fn read((number, step): (usize, &SavedStep)) -> Result<Step, String> {
        let wrong = |_| format!("step {}: `{}` is not a hexadecimal number", number + 1, step.action);
        Ok(Step { action: u64::from_str_radix(&step.action, 16).map_err(wrong)?, choice: step.choice })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_is_read_back() {
        let fault =
            Fault { kind: FaultKind::Bounds, message: "index 3".into(), at: Place { file: "m.pml".into(), line: 7 } };
        let steps = vec![Step { action: u64::MAX, choice: 2 }, Step::default()];
        let violation = Violation { fault, trace: Trace { initial: 1, steps } };
        let mut saved = Saved::new("m.pml", "promela", &violation);
        assert_eq!(saved.violation(), Ok(violation));
        saved.steps[1].action = "x".into();
        assert!(saved.violation().unwrap_err().contains("step 2"));
        saved.kind = "nonsense".into();
        assert!(saved.violation().is_err());
    }
}
