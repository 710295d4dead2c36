//! No model ends the program by a signal: not by what it is made of, nor by what machine code is made of it.

#![cfg(target_os = "linux")]

mod program;

use program::{Folder, path};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs `check` with machine code, little stack and little memory. How it ended: the status, or that there was a signal;
/// and what it said.
fn check(model: &Path, execute: &str, stack: u32) -> (Option<i32>, String) {
    let program = env!("CARGO_BIN_EXE_tightrope");
    let limits = format!("ulimit -s {stack}; ulimit -v 2000000; exec \"$0\" \"$@\"");
    let arguments = ["check", "--quiet", "--memory", "200M", "--time", "2s", "--execute", execute];
    let output = Command::new("sh")
        .args(["-c", &limits, program])
        .args(arguments)
        .arg(model)
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|one| one == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn frames_are_bounded() {
    let mut models = files(&folder("machine_code"), "m");
    models.extend(files(&folder("machine_code"), "dve"));
    assert!(models.len() >= 9);
    for model in models {
        for (execute, stack) in [("jit", 8192), ("interpret", 8192), ("jit", 4096)] {
            let (status, text) = check(&model, execute, stack);
            let name = model.file_name().unwrap_or_default().to_string_lossy();
            let is_endless = name.starts_with("recursion_in_") || name.starts_with("recursion_with_large");
            // Time may run out on a slow machine.
            let expected = if is_endless { [3, 3] } else { [0, 3] };
            assert!(!is_endless || text.contains("undecided (limit)") || text.contains("undecided (memory)"), "{text}");
            let is_fine = status.is_some_and(|status| expected.contains(&status));
            assert!(is_fine, "{name}, {execute}, {stack}: {status:?} {text}");
            let fell_back = text.matches("note: the model is interpreted").count();
            assert!(fell_back <= usize::from(execute == "jit"), "{text}");
            if name.contains("MB_local") {
                assert_eq!(fell_back, usize::from(execute == "jit"), "{text}");
            }
            if name.starts_with("synchronous") {
                assert_eq!(fell_back, 0, "{text}");
            }
        }
    }
}

/// Numbers that look random, and are the same for the same seed (SplitMix64).
struct Rng(u64);

impl Rng {
    fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// A model with something changed: pieces of text that are words, numbers or signs, deleted, doubled, exchanged or replaced.
fn mutated(text: &str, rng: &mut Rng) -> String {
    let mut pieces: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if is_word(first) { rest.find(|c| !is_word(c)) } else { Some(first.len_utf8()) };
        let (piece, others) = rest.split_at(end.unwrap_or(rest.len()));
        pieces.push(piece);
        rest = others;
    }
    let solid: Vec<usize> = (0..pieces.len()).filter(|&at| !pieces[at].trim().is_empty()).collect();
    if solid.is_empty() {
        return text.into();
    }
    let numbers = ["0", "1", "2", "255", "256", "1000", "65536", "2147483647", "-1", "4000000000"];
    for _ in 0..=rng.below(3) {
        let at = solid[rng.below(solid.len() as u64) as usize];
        let other = pieces[solid[rng.below(solid.len() as u64) as usize]];
        let is_number = pieces[at].chars().all(|c| c.is_ascii_digit());
        match rng.below(if is_number { 8 } else { 4 }) {
            0 => pieces[at] = " ",
            1 => pieces[at] = other,
            2 => pieces.insert(at, other),
            3 => {
                let with = solid[rng.below(solid.len() as u64) as usize].min(pieces.len() - 1);
                let at = at.min(pieces.len() - 1);
                pieces.swap(at, with);
            }
            _ => pieces[at] = numbers[rng.below(numbers.len() as u64) as usize],
        }
    }
    pieces.concat()
}

/// A model with other numbers in it, most of which it can have.
fn with_other_numbers(text: &str, rng: &mut Rng) -> String {
    let (mut changed, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let is_in_word = rest[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let end = rest[at..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |length| at + length);
        changed.push_str(&rest[..at]);
        match rng.below(12) {
            0 if !is_in_word => changed.push_str(["0", "1", "2", "3", "5", "9", "40", "300"][rng.below(8) as usize]),
            _ => changed.push_str(&rest[at..end]),
        }
        rest = &rest[end..];
    }
    changed + rest
}

/// Checks so many changed models of each language.
fn changed_models(count: u64) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = std::env::var_os("TIGHTROPE_CORPUS").map_or_else(|| root.join("../shared"), PathBuf::from);
    let work = Folder::new("hostile");
    let mut wrong = Vec::new();
    for (language, ending) in [("promela", "pml"), ("murphi", "m"), ("dve", "dve")] {
        let mut models = files(&root.join("models").join(language), ending);
        assert!(models.len() > 10);
        // Generated monsters of megabytes say nothing more.
        let is_small = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|data| data.len() < 20_000);
        models.extend(files(&corpus.join("models").join(language), ending).into_iter().filter(is_small));
        let (begin, mut ran) = (Instant::now(), 0);
        for seed in 0..count {
            let mut rng = Rng::new(seed);
            let original = &models[rng.below(models.len() as u64) as usize];
            let Ok(text) = std::fs::read_to_string(original) else { continue };
            // Hardly any model of which other pieces are changed is one.
            let text = if rng.below(2) == 0 { mutated(&text, &mut rng) } else { with_other_numbers(&text, &mut rng) };
            let model = work.file(&format!("m{seed}.{ending}"), &text);
            let (status, text) = check(&model, "jit", 8192);
            ran += u64::from(status != Some(2));
            if !matches!(status, Some(0..=3)) {
                wrong.push(format!("{} with seed {seed}: {status:?}: {text}", original.display()));
            }
            let _ = std::fs::remove_file(model);
        }
        eprintln!("{language}: {ran} of {count} changed models ran, in {:?}", begin.elapsed());
        assert!(ran > 0, "no changed model of {language} is one");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Something that is said on a command line, now and then wrongly.
fn options(command: &str, ending: &str, rng: &mut Rng) -> Vec<String> {
    let stores =
        "hash tree bits collapse compress mdd bdd collapse+bdd compact compact:16 bitstate auto full+mdd tree nothing";
    let choices: [(&str, &str, &str); 27] = [
        ("check measure lts stores", "--search", "bfs dfs snapshots best"),
        ("check measure", "--store", stores),
        ("check measure lts stores", "--reduce", "none symmetry stubborn symmetry,stubborn sleep more"),
        ("check measure", "--search dfs --cache", "1 3 100 5000 1M many"),
        ("check measure", "--search dfs --cache 50 --replace", "random type lru mfu:25,lru:75 fifo:0"),
        ("check measure lts", "--cache", "1 7 300 64K none"),
        ("check measure lts", "--cache 40 --replace", "level direct direct:1 level:3 lru fifo level:0"),
        ("check measure", "--cache 30 --max-collision", "0.5 1 0 2"),
        ("check measure", "--store bits+compact:40 --cache", "20 1000 x"),
        ("check measure lts", "--search snapshots --snapshots", "pebble frontier:1 c1,RND,1 c3,LFU,2>2,SIZE,inf x"),
        ("check measure lts", "--search snapshots --backtrack", "off on perhaps"),
        ("check measure lts", "--queue", "disk ram ids"),
        ("check measure", "--queue disk --disk-quota", "1M 64K 1"),
        ("check measure", "--search dfs --reduce", "sleep sleep,stubborn symmetry,sleep,stubborn none,sleep"),
        ("check measure lts stores", "--execute", "jit interpret neither"),
        ("check measure lts stores", "--depth", "0 1 20 1000000 -1"),
        ("check", "--goal", "x==1 x=1 1 ("),
        ("check", "--omission", "0 0.5 1 2 x"),
        ("check measure lts stores", "--seed", "0 7 18446744073709551615 x"),
        ("check measure lts stores show", "--json", ""),
        ("check", "--all", ""),
        ("check", "--no-deadlock", ""),
        ("check", "--full", ""),
        ("check measure", "--audit", ""),
        ("check measure show lts stores", "--no-claims", ""),
        ("check measure show", "-DN=3", ""),
        ("check measure show", "--set", "N=3 M=2 N= N 1=2 N=N+1"),
    ];
    let mut list = Vec::new();
    for (commands, option, values) in choices {
        let applies = match option {
            "-DN=3" => ending == "pml",
            "--set" => ending == "m" || ending == "dve",
            _ => true,
        };
        if applies && commands.split(' ').any(|one| one == command) && rng.below(12) == 0 {
            list.extend(option.split(' ').map(String::from));
            // The last one is wrong.
            let values: Vec<&str> = values.split(' ').filter(|value| !value.is_empty()).collect();
            let some = values.len().saturating_sub(usize::from(rng.below(8) > 0));
            if some > 0 {
                list.push(values[rng.below(some as u64) as usize].to_string());
            }
        }
    }
    list
}

/// Gives the program changed inputs of all languages, with all commands, under a hard limit of memory and for two seconds each. How
/// often it ended with each status, and what went wrong.
fn changed_inputs(seeds: std::ops::Range<u64>) -> ([u64; 4], Vec<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = std::env::var_os("TIGHTROPE_CORPUS").map_or_else(|| root.join("../shared"), PathBuf::from);
    let work = Folder::new("inputs");
    let is_small = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|data| data.len() < 4_000);
    let languages = [("promela", "pml"), ("murphi", "m"), ("dve", "dve"), ("aut", "aut")].map(|(language, ending)| {
        let mut models = files(&root.join("models").join(language), ending);
        models.extend(files(&corpus.join("models").join(language), ending).into_iter().filter(is_small));
        models.extend(files(&corpus.join("cases"), ending).into_iter().filter(is_small));
        (models, ending)
    });
    let (mut ended, mut wrong) = ([0; 4], Vec::new());
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let (models, ending) = &languages[rng.below(4) as usize];
        let original = &models[rng.below(models.len() as u64) as usize];
        let Ok(text) = std::fs::read_to_string(original) else { continue };
        let text = if rng.below(3) == 0 { mutated(&text, &mut rng) } else { with_other_numbers(&text, &mut rng) };
        let model = work.named(&format!("m{seed}.{ending}"), &text);
        let (trace, lts) = (work.place(&format!("t{seed}.json")), work.place(&format!("l{seed}.aut")));
        let commands = ["check", "check", "check", "check", "measure", "show", "lts", "stores", "replay", "compare"];
        let command = commands[rng.below(commands.len() as u64) as usize];
        let memory = ["9M", "16M", "64M", "200M"][rng.below(4) as usize];
        let mut arguments: Vec<String> = vec![command.into(), model.clone()];
        match command {
            "check" if rng.below(2) == 0 => arguments.extend(["--trace".into(), trace.clone()]),
            "lts" => arguments.extend(["-o".into(), lts.clone()]),
            "stores" => arguments.extend(["--only".into(), "hash,tree".into()]),
            "replay" => {
                let saved = r#"{"tool":"tightrope","trace":2,"model":"m","language":"LANGUAGE","fault":{"kind":"deadlock","message":"m","file":"","line":0},"goal":null,"initial":0,"steps":[{"action":"100","choice":0},{"action":"0","choice":0}]}"#;
                let language = [("pml", "promela"), ("m", "murphi")].iter().find(|(one, _)| one == ending);
                let saved = saved.replace("LANGUAGE", language.map_or(*ending, |(_, name)| name));
                let saved = if rng.below(2) == 0 { mutated(&saved, &mut rng) } else { saved };
                arguments.push(work.named(&format!("t{seed}.json"), &saved));
            }
            "compare" => arguments.push(path(original).into()),
            _ => {}
        }
        arguments.extend(options(command, ending, &mut rng));
        arguments.extend(["--memory".into(), memory.into(), "--time".into(), "2s".into()]);
        let begin = Instant::now();
        let output = Command::new("sh")
            .args(["-c", "ulimit -v 1000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_tightrope")])
            .args(&arguments)
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        let seconds = begin.elapsed().as_secs_f64();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let status = output.status.code().filter(|status| (0..=3).contains(status));
        if let Some(status) = status {
            ended[status as usize] += 1;
        }
        if status.is_none() || seconds > 4.0 {
            let how = output.status;
            wrong.push(format!("seed {seed}, {}: {how}, {seconds:.1} s: {arguments:?}: {said}\n", original.display()));
        }
        for file in [&model, &trace, &lts] {
            let _ = std::fs::remove_file(file);
        }
    }
    (ended, wrong)
}

#[test]
fn some_changed_inputs() {
    let (ended, wrong) = changed_inputs(0..150);
    assert!(ended.iter().all(|&count| count > 0), "every outcome is met: {ended:?}");
    // Times are for the long run: other tests run meanwhile.
    let wrong: Vec<String> = wrong
        .into_iter()
        .filter(|one| !one.contains("exit status: 0, ") && !one.contains("exit status: 3, "))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

/// `TIGHTROPE_FIRST=0 TIGHTROPE_PROGRAMS=100000 cargo test -p tightrope --test hostile many_changed_inputs -- --ignored --nocapture`
#[test]
#[ignore = "takes an hour"]
fn many_changed_inputs() {
    let number =
        |name: &str, otherwise: u64| std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"));
    let (first, count) = (number("TIGHTROPE_FIRST", 0), number("TIGHTROPE_PROGRAMS", 100_000));
    let halves = [first..first + count / 2, first + count / 2..first + count];
    let threads = halves.map(|seeds| std::thread::spawn(move || changed_inputs(seeds)));
    let mut all = Vec::new();
    for thread in threads {
        let (ended, wrong) = thread.join().expect("no panic");
        println!("holds, violated, wrong, undecided: {ended:?}");
        all.extend(wrong);
    }
    println!("{count} changed inputs from seed {first}: {} went wrong", all.len());
    assert!(all.is_empty(), "{}", all.concat());
}

#[test]
fn some_changed_models() {
    changed_models(60);
}

#[test]
#[ignore = "takes many minutes"]
fn many_changed_models() {
    changed_models(500);
}
