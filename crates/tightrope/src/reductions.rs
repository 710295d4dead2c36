//! The table of reductions, from the crates that implement them, and which of them a run uses.

use crate::arguments::SearchOptions;
use crate::language::Loaded;
use crate::output::tell;
use tightrope_core::{ModelSupport, Reduction};
use tightrope_por::{SLEEP_SETS, STUBBORN_SETS};
use tightrope_reduce::SYMMETRY;
use tightrope_search::Search;

/// Every reduction there is.
pub static REDUCTIONS: &[&Reduction] = &[&SYMMETRY, &SLEEP_SETS, &STUBBORN_SETS];

/// The reductions to use: those asked for, or what the model declares. The error is for people.
pub fn choose(options: &SearchOptions, loaded: &Loaded, search: &Search) -> Result<Vec<&'static Reduction>, String> {
    let (has_symmetry, has_effects) = (loaded.model.symmetry().is_some(), loaded.program.is_some());
    let Some(names) = &options.reduce else {
        let declared = |row: &&&Reduction| row.model == ModelSupport::Symmetry && has_symmetry;
        return Ok(REDUCTIONS.iter().filter(declared).copied().collect());
    };
    if names.len() > 1 && names.iter().any(|name| name == "none") {
        return Err("error: `--reduce none` means no reduction, and goes with no other".into());
    }
    let mut chosen = Vec::new();
    for name in names.iter().filter(|name| *name != "none") {
        let Some(row) = REDUCTIONS.iter().find(|row| row.name == name) else {
            let known: Vec<&str> = REDUCTIONS.iter().map(|row| row.name).collect();
            let hint = if name == "por" { "; for partial-order reduction name stubborn, sleep or both" } else { "" };
            return Err(format!("error: unknown reduction `{name}`; known are none, {}{hint}", known.join(", ")));
        };
        if let Err(why) = row.allow_model(has_symmetry, has_effects) {
            tell(format_args!("note: {why}"));
            continue;
        }
        row.allow_search(search.guarantees.path).map_err(|why| format!("error: {why}"))?;
        chosen.push(*row);
    }
    Ok(chosen)
}
