//! The table of which crate may depend on which. Architecture, enforced.

use std::collections::BTreeMap;

/// The crates of the workspace and what of the workspace each may use. Development dependencies are free.
const ALLOWED: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("ir", &["core"]),
    ("jit", &["ir", "core"]),
    ("syntax", &[]),
    ("promela", &["ir", "syntax", "core"]),
    ("murphi", &["ir", "syntax", "core"]),
    ("dve", &["ir", "syntax", "core"]),
    ("aut", &["syntax", "core"]),
    ("store", &["core"]),
    ("disk", &["core"]),
    ("reduce", &["core"]),
    ("por", &["core", "ir"]),
    ("search", &["core", "por"]),
    ("trace", &["core"]),
    ("testkit", &["core", "ir", "syntax"]),
];

/// Only the command line knows these.
const ONLY_IN_THE_BINARY: &[&str] = &["clap", "serde", "serde_json", "ctrlc", "plotters"];

#[test]
fn crates_depend_only_on_what_the_table_allows() {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"))
        .no_deps()
        .other_options(["--offline".to_string()])
        .exec()
        .expect("cargo metadata");
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    let mut seen = Vec::new();
    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        let normal = package.dependencies.iter().filter(|one| one.kind == cargo_metadata::DependencyKind::Normal);
        let used: Vec<&str> = normal.map(|one| one.name.as_str()).collect();
        if name == "tightrope" || name == "tightrope-bench" {
            continue;
        }
        let short = name.strip_prefix("tightrope-").unwrap_or_else(|| panic!("`{name}` has no prefix"));
        seen.push(short.to_string());
        let may = allowed.get(short).unwrap_or_else(|| panic!("`{name}` is not in the table"));
        for other in used {
            assert!(!ONLY_IN_THE_BINARY.contains(&other), "`{name}` uses `{other}`");
            if let Some(other) = other.strip_prefix("tightrope-") {
                assert!(may.contains(&other), "`{name}` may not use `tightrope-{other}`");
            }
        }
        if short == "core" {
            assert!(package.dependencies.is_empty(), "`core` uses the standard library only");
        }
    }
    for (name, _) in ALLOWED {
        assert!(seen.iter().any(|seen| seen == name), "the table has `{name}`, which is no crate of the workspace");
    }
}
