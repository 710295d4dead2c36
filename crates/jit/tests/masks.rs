//! Rules that ask for the same variable of their parameter, in machine code and in the interpreter.

mod compare;

use compare::Compare;
use std::path::Path;
use tightrope_ir::Program;
use tightrope_syntax::{Diagnostics, SourceMap};

fn load(name: &str, text: &str) -> Program {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the model can be written");
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let model = tightrope_murphi::parse(&path, &[], &mut sources, &mut diagnostics).expect("a model");
    tightrope_murphi::lower::lower(&model, &sources, &mut diagnostics).expect("a program")
}

/// Processes that walk through stations, two of which ask for more than where they are, one for a value that is none.
fn stations(processes: u32, stations: u32, last: &str) -> String {
    let mut rules = String::new();
    for at in 1..stations {
        let also = match at % 3 {
            0 => "& turn = i",
            1 => "",
            _ => "& at[turn] != 1",
        };
        let next = at + 1;
        rules += &format!("Rule \"{at}\" at[i] = {at} {also} ==> Begin at[i] := {next}; turn := i; End;\n");
    }
    format!(
        "Type pid: 1..{processes}; station: 1..{stations};
         Var at: Array [pid] Of station; turn: pid;
         Ruleset i: pid Do
         {rules}
         Rule \"other way round\" {stations} = at[i] ==> Begin {last} End;
         Ruleset j: pid Do Rule \"pairs\" at[i] = 2 & i != j & at[j] = 1 ==> Begin at[j] := 2; End; End;
         End;
         Startstate Begin For i: pid Do at[i] := 1; End; turn := 1; End;"
    )
}

#[test]
fn masks_in_a_number_and_in_memory() {
    for (processes, count) in [(2, 3), (3, 6), (4, 16), (5, 12), (5, 13), (9, 9)] {
        for last in ["at[i] := 1;", "Undefine at[i];"] {
            let program = load("stations.m", &stations(processes, count, last));
            let mut compare = Compare::new(&program).expect("it is compiled");
            assert!(compare.explore(5000) >= 8, "{processes} processes, {count} stations");
        }
    }
}
