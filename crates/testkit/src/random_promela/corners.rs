//! Tiny programs about who enables and disables whom.
//!
//! Two to four processes have one choice each: a loop, a selection, an escape, an atomic sequence. What begins its options is
//! drawn from everything that can be enabled or not, with channels named in every way there is. All share a few variables
//! and channels, so that most processes change what others wait for.

use crate::random::Rng;

/// A comment in programs that SPIN runs otherwise than its manual says; docs/promela.md lists the cases.
pub const SPIN_IS_WRONG: &str = "/* SPIN is wrong */";

struct Writer {
    rng: Rng,
    /// Ways to name a channel, for every process and for the one at hand.
    shared_chans: Vec<&'static str>,
    chans: Vec<String>,
    /// The processes written so far have a label, or a local variable.
    asked: Vec<String>,
    has_rendezvous: bool,
    /// Most is about handshakes, and about channels of which the text does not tell whether they are rendezvous channels.
    handshakes: bool,
    may_run: bool,
    may_wait: bool,
    in_d_step: bool,
    labels: usize,
    process: usize,
}

/// The text of a program, and a goal.
pub(super) fn program(rng: Rng) -> (String, String) {
    let mut writer = Writer {
        rng,
        shared_chans: Vec::new(),
        chans: Vec::new(),
        asked: Vec::new(),
        has_rendezvous: false,
        handshakes: false,
        may_run: false,
        may_wait: false,
        in_d_step: false,
        labels: 0,
        process: 0,
    };
    let text = writer.module();
    let goal = writer.goal();
    (text, goal)
}

impl Writer {
    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        self.rng.pick::<&str>(texts)
    }

    fn module(&mut self) -> String {
        let mut lines = vec![String::from("byte x, y;\nbit b;")];
        let mut sendable = Vec::new();
        self.handshakes = self.rng.chance(50);
        if self.rng.chance(if self.handshakes { 45 } else { 70 }) {
            lines.push(format!("chan c = [{}] of {{ byte }};", self.rng.range(1, 2)));
            self.shared_chans.push("c");
            sendable.push("c");
        }
        if self.handshakes || self.rng.chance(45) {
            lines.push(String::from("chan r = [0] of { byte };"));
            self.shared_chans.push("r");
            self.has_rendezvous = true;
            sendable.push("r");
        }
        if self.rng.chance(if self.handshakes { 25 } else { 50 }) || sendable.is_empty() {
            let capacity = self.rng.weighted(&[(2, 0), (5, 1), (2, 2)]);
            self.has_rendezvous |= capacity == 0;
            lines.push(format!("chan a[2] = [{capacity}] of {{ byte }};"));
            self.shared_chans.extend(["a[0]", "a[1]", "a[b]", "a[x & 1]"]);
            sendable.extend(["a[0]", "a[1]"]);
        }
        let variable = self.rng.chance(if self.handshakes { 60 } else { 30 });
        if variable {
            lines.push(String::from("chan g;"));
            self.shared_chans.push("g");
        }
        self.may_wait = self.rng.chance(15);
        self.may_run = self.rng.chance(25);
        if self.may_run {
            let (does, saw) = (self.effect(&[]), self.pick(&["0", "x", "x + b", "len(c)"]));
            let saw = if saw.contains("(c)") && !sendable.contains(&"c") { "y" } else { saw };
            lines.push(format!("proctype Z() {{ byte z = {saw}; {does}; assert(z != 2) }}"));
        }
        let processes = self.rng.weighted(&[(4, 2), (5, 3), (1, 4)]);
        // A variable that names channels has its value before it is used.
        let init = variable || self.rng.chance(25);
        let mut started = Vec::new();
        for number in 0..processes {
            self.process = number;
            let parameter = init && self.rng.chance(25);
            lines.push(self.process(number, init, parameter, &sendable));
            let argument = if parameter { self.pick(&sendable) } else { "" };
            started.push(format!("run P{number}({argument})"));
        }
        if init {
            self.chans = sendable.iter().map(ToString::to_string).collect();
            let mut first = Vec::new();
            if variable {
                first.push(format!("g = {}", self.pick(&sendable)));
            }
            if sendable.contains(&"c") && self.rng.chance(40) {
                first.push(format!("c!{}", self.rng.below(2)));
            }
            let runs = started.join("; ");
            let runs = if self.rng.chance(75) { format!("atomic {{ {runs} }}") } else { runs };
            first.push(runs);
            lines.push(format!("init {{ {} }}", first.join("; ")));
        }
        if self.rng.chance(6) && sendable.contains(&"c") {
            let word = self.pick(&["trace", "notrace"]);
            let events = self.pick(&["c!_; c?_", "c?eval(x); c!1", "do :: c!0 :: c?_ od", "c!x; c?0"]);
            lines.push(format!("{word} {{ {events} }}"));
        }
        lines.join("\n")
    }

    fn process(&mut self, number: usize, started: bool, parameter: bool, sendable: &[&str]) -> String {
        self.chans = self.shared_chans.iter().map(ToString::to_string).collect();
        let mut locals = vec![match self.rng.below(4) {
            0 => String::from("byte l = x;"),
            1 => String::from("byte l = 1;"),
            _ => String::from("byte l;"),
        }];
        let mut first = Vec::new();
        if parameter {
            self.chans.push(String::from("p"));
        }
        if self.shared_chans.contains(&"a[0]") {
            self.chans.push(String::from("a[l & 1]"));
        }
        if self.rng.chance(25) {
            let value = self.pick(sendable);
            locals.push(match self.rng.chance(50) {
                true => format!("chan v = {value};"),
                false => {
                    first.push(format!("v = {value}"));
                    String::from("chan v;")
                }
            });
            self.chans.push(String::from("v"));
        }
        if self.rng.chance(12) {
            let capacity = self.rng.below(2);
            self.has_rendezvous |= capacity == 0;
            locals.push(format!("chan o = [{capacity}] of {{ byte }};"));
            self.chans.push(String::from("o"));
            if self.shared_chans.contains(&"g") {
                first.push(String::from("g = o"));
            }
        }
        let provided = match self.rng.chance(12) {
            true => format!(" provided ({})", self.condition(1, false)),
            false => String::new(),
        };
        let asked = std::mem::take(&mut self.asked);
        self.asked = asked.clone();
        let labels = self.labels;
        let mut body = first;
        if self.handshakes && number > 0 && self.rng.chance(60) {
            // One who does little, with one who has a choice.
            for _ in 0..self.rng.range(1, 2) {
                let part = if self.rng.chance(50) { self.head(1) } else { self.effect(&["l"]) };
                body.push(part);
            }
        } else {
            if self.rng.chance(25) {
                body.push(self.effect(&["l"]));
            }
            body.push(self.choice());
            if self.rng.chance(40) {
                body.push(self.effect(&["l"]));
            }
        }
        let name = format!("P{number}");
        self.asked = asked;
        if !started {
            self.asked.push(format!("{name}:l == 1"));
            self.asked.extend((labels..self.labels).map(|label| format!("{name}@L{label}")));
        }
        let active = if started { "" } else { "active " };
        let word = if self.rng.chance(2) { "D_proctype" } else { "proctype" };
        let parameters = if parameter { "chan p" } else { "" };
        format!("{active}{word} {name}({parameters}){provided} {{ {}\n  {}\n}}", locals.join(" "), body.join(";\n  "))
    }

    /// What a process is about.
    fn choice(&mut self) -> String {
        let kind = match self.handshakes {
            true => self.rng.weighted(&[(2, 0), (1, 3), (4, 4), (3, 10), (1, 11)]),
            false => self.rng.below(12),
        };
        match kind {
            0..3 => {
                let (main, escape) = (self.sequence(), self.sequence());
                format!("{{ {main} }} unless {{ {escape} }}")
            }
            3 => {
                let (inner, middle, outer) = (self.sequence(), self.sequence(), self.sequence());
                format!("{{ {{ {inner} }} unless {{ {middle} }} }} unless {{ {outer} }}")
            }
            4..7 => self.selection(),
            7 | 8 => {
                let mut options = vec![format!(":: {}", self.sequence())];
                let leaves = if self.rng.chance(40) { String::from("else") } else { self.head(1) };
                options.push(format!(":: {leaves} -> break"));
                if self.rng.chance(30) {
                    options.reverse();
                }
                format!("do {} od", options.join(" "))
            }
            9 => {
                let inside = format!("{}; {}", self.head(1), self.head(1));
                format!("atomic {{ {inside} }}; {}", self.effect(&["l"]))
            }
            10 => {
                let (main, escape) = (self.selection(), self.sequence());
                format!("{{ {main} }} unless {{ {escape} }}")
            }
            _ => self.sequence(),
        }
    }

    fn selection(&mut self) -> String {
        let mut options = vec![format!(":: {}", self.sequence()), format!(":: {}", self.sequence())];
        if self.rng.chance(45) {
            options.insert(self.rng.below(3), format!(":: else -> {}", self.effect(&["l"])));
        }
        format!("if {} fi", options.join(" "))
    }

    /// Something that may be enabled or not, and what happens then.
    fn sequence(&mut self) -> String {
        let mut parts = vec![self.head(2)];
        for _ in 0..self.rng.weighted(&[(3, 0), (5, 1), (2, 2)]) {
            let part = if self.rng.chance(15) { self.head(1) } else { self.effect(&["l"]) };
            parts.push(part);
        }
        if self.rng.chance(8) {
            parts.push(format!("L{}: skip", self.labels));
            self.labels += 1;
        }
        parts.join("; ")
    }

    /// Something that may be enabled or not.
    fn head(&mut self, depth: u32) -> String {
        if self.handshakes && self.rng.chance(50) {
            return match self.rng.below(5) {
                0 if depth > 0 && !self.in_d_step => self.d_step(),
                0..3 => self.receive(),
                3 => self.send(),
                _ => format!("({})", self.pick(&["b", "x == 1", "y == 0", "b == 0"])),
            };
        }
        match self.rng.below(if depth > 0 { 20 } else { 14 }) {
            0..4 => self.receive(),
            4..6 => self.send(),
            6..12 => format!("({})", self.condition(1, true)),
            12 => self.effect(&["l"]),
            13 if self.may_wait && !self.in_d_step => String::from("timeout"),
            13 => String::from("skip"),
            14..16 => format!("atomic {{ {}; {} }}", self.head(depth - 1), self.head(0)),
            16..18 if self.in_d_step => self.send(),
            16..18 => self.d_step(),
            18 => format!("if :: {} :: {} fi", self.head(depth - 1), self.head(0)),
            _ => format!("{{ {}; {} }}", self.head(depth - 1), self.effect(&["l"])),
        }
    }

    fn d_step(&mut self) -> String {
        self.in_d_step = true;
        let text = match self.rng.below(4) {
            0 => format!("{}; {} }}", self.beginning(), self.effect(&["l"])),
            1 => {
                let (one, two) = (self.exchange(), self.exchange());
                format!("d_step {{ if :: {one} -> {} :: {two} fi }}", self.effect(&["l"]))
            }
            2 => {
                // SPIN forgets options that begin with an assignment when it asks whether the sequence is enabled.
                let mut options = [self.head(0), self.head(0)];
                if self.rng.chance(50) {
                    options[self.rng.below(2)] = self.effect(&["l"]);
                }
                let [one, two] = options;
                let then = self.effect(&["l"]);
                format!("d_step {{ {SPIN_IS_WRONG} if :: {one} -> {then} :: {two} fi }}")
            }
            _ => format!("{}; {} }}", self.beginning(), self.head(0)),
        };
        self.in_d_step = false;
        text
    }

    /// The first statement of a `d_step`. In SPIN one that begins with an assertion answers whoever offers a handshake.
    fn beginning(&mut self) -> String {
        let head = self.head(0);
        let mark = if head.starts_with("assert") { SPIN_IS_WRONG } else { "" };
        format!("d_step {{ {mark}{head}")
    }

    /// A send, a receive or a condition.
    fn exchange(&mut self) -> String {
        match self.rng.below(3) {
            0 => self.receive(),
            1 => self.send(),
            _ => format!("({})", self.condition(1, true)),
        }
    }

    fn chan(&mut self) -> String {
        self.rng.pick(&self.chans).clone()
    }

    fn receive(&mut self) -> String {
        let chan = self.chan();
        if self.handshakes && self.rng.chance(35) {
            return format!("{chan}{}", self.pick(&["?eval(x)", "?eval(b)", "?eval(l)", "?eval(y)", "?1", "?_"]));
        }
        let form = self.pick(&[
            "?0", "?1", "?_", "?l", "?x", "?<l>", "?<_>", "??1", "??<1>", "?eval(x)", "?eval(l)", "?y", "?eval(y)",
            "?eval(b)",
        ]);
        if self.rng.chance(6) {
            return format!("{chan}?eval(len({}))", self.chan());
        }
        format!("{chan}{form}")
    }

    fn send(&mut self) -> String {
        let chan = self.chan();
        let form = self.pick(&["!0", "!1", "!1", "!x", "!l", "!!1", "!!0", "!y"]);
        format!("{chan}{form}")
    }

    fn condition(&mut self, depth: u32, own: bool) -> String {
        if depth > 0 && self.rng.chance(35) {
            let (one, two) = (self.condition(depth - 1, own), self.condition(depth - 1, own));
            // What asks whether a channel is empty or full stands under `&&` and `||` only.
            let numbers = ![&one, &two].iter().any(|text| text.contains("empty(") || text.contains("full("));
            return match self.rng.below(5) {
                0 if numbers => format!("!({one})"),
                1 if numbers => format!("({one} -> {two} : y == 0)"),
                2 => format!("{one} || {two}"),
                _ => format!("{one} && {two}"),
            };
        }
        let chans: Vec<String> = match own {
            true => self.chans.clone(),
            false => self.shared_chans.iter().map(ToString::to_string).collect(),
        };
        let chan = self.rng.pick(&chans).clone();
        match self.rng.below(20) {
            0 | 1 => format!("{chan}{}", self.pick(&["?[0]", "?[1]", "?[_]", "??[1]", "?[eval(x)]"])),
            2 => format!("len({chan}) == {}", self.rng.below(2)),
            3 => format!("nempty({chan})"),
            4 => format!("empty({chan})"),
            5 => format!("full({chan})"),
            6 => format!("nfull({chan})"),
            7..12 => String::from(self.pick(&["x == 1", "x == 0", "y == 0", "y == 1", "b", "x != y", "b == x"])),
            12 => format!("_nr_pr {} {}", self.pick(&["<", "=="]), self.rng.range(1, 4)),
            13 if own => String::from("_pid > 0"),
            14 if own => String::from(self.pick(&["l == 0", "l == 1", "l != x"])),
            15 if !self.asked.is_empty() => self.rng.pick(&self.asked).clone(),
            16 if !self.has_rendezvous && self.rng.chance(20) => format!("enabled({})", self.rng.below(3)),
            _ => String::from(self.pick(&["true", "x < 2", "y < 2"])),
        }
    }

    /// Something that is always enabled, or nearly so; `own` are variables of the process.
    fn effect(&mut self, own: &[&str]) -> String {
        match self.rng.below(if self.handshakes { 14 } else { 20 }) {
            0..3 => String::from("x = 1"),
            3 => String::from("x = 0"),
            4 | 5 => String::from(self.pick(&["y = 1", "y = x", "y = 0", "x = y"])),
            6 | 7 => String::from(self.pick(&["b = 1 - b", "b = 1"])),
            8 | 9 if !own.is_empty() => String::from(self.pick(&["l = x", "l = 1", "l = 1 - l", "x = l"])),
            10 if self.shared_chans.contains(&"g") && !own.is_empty() => format!("g = {}", self.chan()),
            11..14 => format!("assert({})", self.pick(&["x == 1", "x == 0", "y == 0", "b == 0", "x != 2", "false"])),
            14 if self.may_run && !own.is_empty() && !self.in_d_step => {
                // Not so often that processes pile up.
                String::from("if :: _nr_pr < 5 -> run Z() :: else fi")
            }
            15 | 16 if !own.is_empty() => self.send(),
            17 if !own.is_empty() => self.receive(),
            18 => String::from("printf(\"x\")"),
            _ => String::from("skip"),
        }
    }

    fn goal(&mut self) -> String {
        self.asked.clear();
        let one = self.condition(1, false).replace("enabled", "0 == ");
        format!("({one}) && x == {}", self.rng.below(2))
    }
}
