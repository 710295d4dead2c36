use std::collections::{HashMap, HashSet, VecDeque};
use tightrope_core::*;
use tightrope_syntax::*;
fn main() {
    for path in std::env::args().skip(1) {
        let mut sources = SourceMap::new();
        let mut diags = Diagnostics::new();
        let module = tightrope_promela::parse(path.as_ref(), &Default::default(), &mut sources, &mut diags);
        let lowered = module.and_then(|m| tightrope_promela::lower::lower(&m, &sources, &mut diags));
        let Some(lowered) = lowered else {
            println!("{path} rejected");
            if std::env::var("V").is_ok() { eprintln!("{}", diags.render(&sources, false)); }
            continue;
        };
        if std::env::var("D").is_ok() {
            for p in &lowered.program.processes { println!("proctype {}", p.name); for (i, l) in p.locations.iter().enumerate() { for t in &p.transitions[l.first as usize..(l.first + l.count) as usize] {
                println!("  {i} -> {} [{}{}] {} {}", t.target, if t.keeps_control {"A"} else {"-"}, if l.end {"e"} else {"-"}, if t.escape > 0 { format!("esc{}", t.escape) } else { String::new() }, t.text); } } }
        }
        let model = tightrope_ir::Interpreter::new(lowered.program);
        let mut seen: HashSet<Vec<u8>> = HashSet::new();
        let mut queue = VecDeque::new();
        model.initial(&mut |s| { seen.insert(s.to_vec()); queue.push_back(s.to_vec()); });
        let mut out = Successors::new();
        let mut transitions = 0u64;
        let mut faults: HashMap<&str, u64> = HashMap::new();
        let start = std::time::Instant::now();
        while let Some(s) = queue.pop_front() {
            model.successors(&s, &mut out);
            if out.stuck == Stuck::Deadlock { *faults.entry("deadlock").or_default() += 1; }
            for i in 0..out.len() {
                if let Some(f) = out.fault(i) { *faults.entry(f.kind.name()).or_default() += 1; }
                if let Some(t) = out.state(i) {
                    transitions += 1;
                    if !seen.contains(t) { seen.insert(t.to_vec()); queue.push_back(t.to_vec()); }
                }
            }
            if seen.len() > 6_000_000 { break; }
        }
        let mut kinds: Vec<_> = faults.into_iter().map(|(k, n)| format!("{k}:{n}")).collect();
        kinds.sort();
        println!("{path} states {} transitions {transitions} faults {} time {:.2}", seen.len(), kinds.join(","), start.elapsed().as_secs_f64());
    }
}
