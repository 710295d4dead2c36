//! Constants whose values are overridden on the command line.

use crate::{Diagnostic, FileId, SourceMap, similar};

/// The option, as messages show it.
const OPTION: &str = "--set";

/// `NAME=VALUE`: a constant of a model, and the expression that replaces its value in the model's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The constant's name.
    pub name: String,
    /// The text of its value.
    pub value: String,
}

impl Override {
    /// The source that holds the text of the value; messages call it `--set NAME`.
    pub fn source(&self, sources: &mut SourceMap) -> FileId {
        sources.add(format!("{OPTION} {}", self.name), self.value.as_str())
    }

    /// That a model with these constants has none of this name.
    pub fn unknown(&self, constants: &[&str]) -> Diagnostic {
        let error = Diagnostic::error(format!("{OPTION}: the model declares no constant `{}`", self.name));
        if let Some(similar) = similar(&self.name, constants.iter().copied()) {
            return error.help(format!("did you mean `{similar}`?"));
        }
        match constants {
            [] => error.note("it declares no constants"),
            _ => error.note(format!("its constants are {}", constants.join(", "))),
        }
    }
}

impl std::fmt::Display for Override {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{}={}", self.name, self.value)
    }
}

impl std::str::FromStr for Override {
    type Err = String;

    fn from_str(text: &str) -> Result<Override, String> {
        let (name, value) = text.split_once('=').ok_or("it must be NAME=VALUE")?;
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() || value.is_empty() {
            return Err("it must be NAME=VALUE".into());
        }
        Ok(Override { name: name.into(), value: value.into() })
    }
}
