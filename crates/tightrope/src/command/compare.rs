//! `tightrope compare`: whether two transition systems are equivalent.

use crate::Exit;
use crate::amount::counted;
use crate::arguments::CompareOptions;
use crate::output::{print, print_json};
use crate::watchdog::{self, Phase};
use serde_json::{Value, json};
use std::path::Path;
use tightrope_aut::{Lts, equivalent, read};
use tightrope_syntax::{Diagnostics, SourceMap};

/// Runs the command.
pub fn run(options: &CompareOptions) -> Result<Exit, String> {
    let (left, right) = (load(&options.left)?, load(&options.right)?);
    watchdog::phase(Phase::Comparing);
    watchdog::count_what_is_not_touched_yet();
    let same = equivalent(&left, &right, options.equivalence);
    let name = options.equivalence.name();
    let (one, other) = (options.left.display(), options.right.display());
    if options.json {
        let side = |path: &Path, lts: &Lts| -> Value {
            json!({"path": path.display().to_string(), "states": lts.states(), "transitions": lts.transitions()})
        };
        print_json(&json!({
            "tool": "tightrope",
            "version": env!("CARGO_PKG_VERSION"),
            "command": "compare",
            "equivalence": name,
            "left": side(&options.left, &left),
            "right": side(&options.right, &right),
            "equivalent": same,
            "verdict": if same { "holds" } else { "violated" },
        }))?;
    } else {
        let size = |lts: &Lts| {
            format!(
                "{}, {}",
                counted(u64::from(lts.states()), "state"),
                counted(u64::from(lts.transitions()), "transition")
            )
        };
        print(&format!(
            "{one} ({}) and {other} ({}): {} ({name} bisimilarity)\n",
            size(&left),
            size(&right),
            if same { "equivalent" } else { "not equivalent" }
        ))?;
    }
    Ok(if same { Exit::Holds } else { Exit::Violated })
}

fn load(path: &Path) -> Result<Lts, String> {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let lts = read(path, &mut sources, &mut diagnostics);
    lts.ok_or_else(|| {
        let mut text = diagnostics.render(&sources, watchdog::colours());
        if path.extension().is_none_or(|ending| ending != "aut") {
            let name = path.display();
            text.push_str(&format!(
                "\nhelp: a model's transition system is written by: tightrope lts {name} -o FILE.aut"
            ));
        }
        text
    })
}
