//! Parses the models named on the command line.
use tightrope_promela::{ParseOptions, parse};
use tightrope_syntax::{Diagnostics, SourceMap};
fn main() {
    for path in std::env::args().skip(1) {
        let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
        let module = parse(path.as_ref(), &ParseOptions::default(), &mut sources, &mut diags);
        if std::env::var_os("DUMP").is_some() {
            println!("{module:#?}");
        }
        println!("{path}: {}", if module.is_some() { "ok" } else { "ERRORS" });
        if !diags.is_empty() {
            println!("{}", diags.render(&sources, false));
        }
    }
}
