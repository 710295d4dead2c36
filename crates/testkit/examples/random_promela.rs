//! Writes the random Promela program of each seed to `FOLDER/SEED.pml`, its goal in a comment at the end; without a folder,
//! to standard output: `cargo run -p tightrope-testkit --example random_promela -- FIRST COUNT [FOLDER]`.

use tightrope_testkit::random_promela;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: u64| arguments.get(at).map_or(usual, |text| text.parse().expect("a number"));
    let first = number(0, 0);
    for seed in first..first + number(1, 1) {
        let made = random_promela::program(seed);
        let text = format!("{}/* {:?}, goal: {} */\n", made.text, made.profile, made.goal);
        match arguments.get(2) {
            Some(folder) => std::fs::write(format!("{folder}/{seed}.pml"), text).expect("the folder is there"),
            None => print!("{text}"),
        }
    }
}
