//! Declarations, proctypes, the whole text.

use super::expr::Asker;
use super::scope::{Chan, Proc, Scope, Ty, Var};
use super::stmt::Place;
use super::{Author, Inline, Profile, Startable};

/// Who of the proctypes sends to a channel, and who receives.
#[derive(Clone, Copy)]
struct Roles {
    sender: usize,
    receiver: usize,
}

impl Author {
    pub(super) fn module(&mut self) -> String {
        let orders = self.profile == Profile::Orders;
        let kinds = self.rng.weighted(&if orders {
            [(1, 1), (4, 2), (5, 3), (2, 4)]
        } else {
            [(2, 1), (6, 2), (3, 3), (0, 4)]
        });
        let mut parts = vec![self.global_variables(), self.structures(), self.global_channels()];
        parts.push(self.macros());
        let roles: Vec<Roles> = (0..self.globals.chans.len())
            .map(|_| Roles { sender: self.rng.below(kinds), receiver: self.rng.below(kinds) })
            .collect();
        if self.has.inlines {
            for _ in 0..self.rng.range(1, 2) {
                parts.push(self.inline());
            }
        }
        // The last first, so that a proctype knows those that it may start.
        let mut procs = Vec::new();
        for number in (0..kinds).rev() {
            let started = self.has.runs && (number > 0 || self.has.init) && self.rng.chance(55);
            procs.push(self.proctype(number, &roles, started));
        }
        // Who asks about another proctype stands behind it.
        if self.rng.chance(70) && !self.has.remote {
            procs.reverse();
        }
        if self.has.init {
            let init = self.init();
            let at = if self.has.remote { procs.len() } else { self.rng.below(procs.len() + 1) };
            procs.insert(at, init);
        }
        if self.has.monitor
            && let Some(monitor) = self.monitor()
        {
            let at = self.rng.below(procs.len() + 1);
            procs.insert(at, monitor);
        }
        parts.extend(procs);
        parts.join("\n")
    }

    fn plain_type(&mut self) -> (String, Ty) {
        let ty = self.rng.weighted(&[
            (8, Ty::Byte),
            (6, Ty::Bit),
            (4, Ty::Bool),
            (1, Ty::Short),
            (1, Ty::Int),
            (2, Ty::Unsigned(2)),
            (1, Ty::Pid),
            (4, Ty::Mtype(0)),
            (2, Ty::Mtype(1)),
        ]);
        match ty {
            Ty::Mtype(set) if self.mtypes.len() <= set => (String::from("byte"), Ty::Byte),
            Ty::Mtype(set) => (if set == 0 { "mtype".into() } else { format!("mtype:{}", self.mtypes[set].0) }, ty),
            other => (word(other).into(), other),
        }
    }

    /// A declaration of a scalar; the variable is added to the scope.
    fn scalar(&mut self, scope: &mut Scope, prefix: &str, initialised: usize, asker: Asker) -> String {
        let (word, ty) = self.plain_type();
        let name = self.name(prefix);
        let width = if let Ty::Unsigned(width) = ty { format!(" : {width}") } else { String::new() };
        let value = match self.rng.chance(initialised) {
            true if !scope.vars.is_empty() && self.rng.chance(70) => {
                // Of the globals as they are when this process starts.
                let value = match ty {
                    Ty::Mtype(_) => self.value(ty, scope, asker),
                    _ => self.number(1, scope, asker),
                };
                format!(" = {value}")
            }
            true => format!(" = {}", self.value(ty, &Scope::default(), asker)),
            false => String::new(),
        };
        scope.vars.push(Var { text: name.clone(), lens: Vec::new(), ty, written: true });
        format!("{word} {name}{width}{value};")
    }

    fn array(&mut self, scope: &mut Scope, prefix: &str) -> String {
        let name = self.name(prefix);
        let (len, ty) = (self.rng.range(2, 3) as usize, *self.rng.pick(&[Ty::Byte, Ty::Bit, Ty::Bool, Ty::Short]));
        let value = match self.rng.below(4) {
            0 => String::from(" = 1"),
            1 => format!(" = {{ {} }}", vec!["0", "1", "1"][..len].join(", ")),
            _ => String::new(),
        };
        scope.vars.push(Var { text: format!("{name}[#]"), lens: vec![len], ty, written: true });
        scope.arrays.push((name.clone(), len));
        format!("{} {name}[{len}]{value};", word(ty))
    }

    fn global_variables(&mut self) -> String {
        let mut lines = Vec::new();
        if self.has.mtypes || self.has.named_mtype {
            lines.push(String::from("mtype = { m1, m2 };"));
            self.mtypes.push((String::new(), vec!["m1".into(), "m2".into()]));
        }
        if self.has.named_mtype {
            lines.push(String::from("mtype:sort = { k1, k2, k3 };"));
            self.mtypes.push(("sort".into(), vec!["k1".into(), "k2".into(), "k3".into()]));
        }
        let mut scope = std::mem::take(&mut self.globals);
        for _ in 0..self.rng.weighted(&[(2, 1), (4, 2), (3, 3), (1, 4)]) {
            let line = self.scalar(&mut scope, "g", 25, Asker::Plain);
            let prefix = if self.rng.chance(6) { "local " } else { "" };
            // An initialiser of a global sees only those before it, and no process.
            lines.push(if line.contains("_pid") || line.contains("len(") {
                line.split(" = ").next().unwrap_or_default().to_string() + ";"
            } else {
                format!("{prefix}{line}")
            });
        }
        if self.has.arrays {
            lines.push(self.array(&mut scope, "ga"));
        }
        if self.has.hidden {
            let name = self.name("hid");
            lines.push(format!("hidden byte {name};"));
            scope.hidden = Some(name);
        }
        self.globals = scope;
        lines.join("\n")
    }

    fn structures(&mut self) -> String {
        if !self.has.structs {
            return String::new();
        }
        let mut lines = vec![String::from("typedef TA { byte a[2]; bit b };")];
        let name = self.name("s");
        let mut add = |text: String, lens: &[usize], ty| {
            self.globals.vars.push(Var { text, lens: lens.to_vec(), ty, written: true });
        };
        match self.rng.below(4) {
            0 => {
                lines.push(format!("TA {name}[2];"));
                add(format!("{name}[#].a[#]"), &[2, 2], Ty::Byte);
                add(format!("{name}[#].b"), &[2], Ty::Bit);
            }
            1 => {
                lines.push(String::from("typedef TB { TA t[2]; bool z };"));
                lines.push(format!("TB {name};"));
                add(format!("{name}.t[#].a[#]"), &[2, 2], Ty::Byte);
                add(format!("{name}.t[#].b"), &[2], Ty::Bit);
                add(format!("{name}.z"), &[], Ty::Bool);
            }
            2 => {
                let capacity = self.rng.range(1, 2) as usize;
                lines.push(format!("typedef TC {{ chan in = [{capacity}] of {{ byte }}; byte v; TA t }};"));
                lines.push(format!("TC {name}[2];"));
                add(format!("{name}[#].v"), &[2], Ty::Byte);
                add(format!("{name}[#].t.a[#]"), &[2, 2], Ty::Byte);
                self.globals.chans.push(Chan {
                    text: format!("{name}[#].in"),
                    lens: vec![2],
                    capacity: Some(capacity),
                    fields: vec![Ty::Byte],
                    sends: true,
                    receives: true,
                });
            }
            _ => {
                lines.push(String::from("typedef TM { byte v; bit w };"));
                lines.push(format!("chan {name} = [2] of {{ TM }};"));
                self.globals.walked = Some((name, String::new()));
            }
        }
        lines.join("\n")
    }

    fn field(&mut self) -> Ty {
        match self.rng.weighted(&[(8, 0), (3, 1), (2, 2), (3, 3), (1, 4)]) {
            0 => Ty::Byte,
            1 => Ty::Bit,
            2 => Ty::Bool,
            3 if !self.mtypes.is_empty() => Ty::Mtype(0),
            4 => Ty::Short,
            _ => Ty::Byte,
        }
    }

    /// A channel, and its declaration.
    fn new_channel(&mut self, prefix: &str, capacity: usize, fields: Vec<Ty>, len: Option<usize>) -> (Chan, String) {
        let name = self.name(prefix);
        let words: Vec<&str> = fields.iter().map(|&ty| word(ty)).collect();
        let (text, declared) = match len {
            Some(len) => (format!("{name}[#]"), format!("{name}[{len}]")),
            None => (name.clone(), name),
        };
        let line = format!("chan {declared} = [{capacity}] of {{ {} }};", words.join(", "));
        let lens = len.into_iter().collect();
        (Chan { text, lens, capacity: Some(capacity), fields, sends: true, receives: true }, line)
    }

    fn global_channels(&mut self) -> String {
        let mut lines = Vec::new();
        if self.rng.chance(20) {
            self.carried.push(Ty::Bit);
        }
        let mut wanted: Vec<(usize, Vec<Ty>, Option<usize>)> = Vec::new();
        let many = self.profile == Profile::Orders || self.profile == Profile::Channels;
        if self.has.buffered {
            for _ in 0..self.rng.range(1, if many { 3 } else { 1 }) {
                let fields = (0..self.rng.weighted(&[(6, 1), (3, 2), (1, 3)])).map(|_| self.field()).collect();
                wanted.push((self.rng.weighted(&[(5, 1), (4, 2), (1, 3)]), fields, None));
            }
        }
        if self.has.rendezvous {
            for _ in 0..self.rng.range(1, if many { 2 } else { 1 }) {
                let fields = (0..self.rng.weighted(&[(6, 1), (2, 2)])).map(|_| self.field()).collect();
                wanted.push((0, fields, None));
            }
        }
        let least = usize::from(!self.has.rendezvous && (self.has.priorities || self.has.enabled));
        if self.has.channel_array {
            wanted.push((self.rng.below(3).max(least), vec![Ty::Byte], Some(2)));
        }
        if self.has.carried {
            let mut fields = vec![Ty::Chan];
            if self.rng.chance(20) {
                fields.push(Ty::Bit);
            }
            wanted.push((self.rng.weighted(&[(2, 0), (5, 1), (1, 2)]).max(least), fields, None));
            if self.rng.chance(60) {
                wanted.push((self.rng.below(3).max(least), self.carried.clone(), None));
            }
        }
        for (capacity, fields, len) in wanted {
            let (chan, line) = self.new_channel("c", capacity, fields, len);
            self.globals.chans.push(chan);
            lines.push(line);
        }
        lines.join("\n")
    }

    fn macros(&mut self) -> String {
        if !self.has.macros {
            return String::new();
        }
        let scope = self.globals.clone();
        let (one, two) = (self.name("COND"), self.name("STEP"));
        let lines = format!(
            "#define {one} {}\n#define {two} {}",
            self.condition(1, &scope, Asker::Plain),
            self.assignment(&scope)
        );
        self.conditions.push(one);
        self.statements.push(two);
        lines
    }

    fn inline(&mut self) -> String {
        let name = self.name("in");
        let params: Vec<bool> = (0..self.rng.below(3)).map(|_| self.rng.chance(50)).collect();
        let names: Vec<String> = (0..params.len()).map(|at| format!("{name}p{at}")).collect();
        let mut scope = self.globals.clone();
        for (text, &written) in names.iter().zip(&params) {
            scope.vars.push(Var { text: text.clone(), lens: Vec::new(), ty: Ty::Byte, written });
        }
        (self.in_inline, self.fuel) = (true, 5);
        let body = self.sequence(Place::body(&scope), 1, 3);
        self.in_inline = false;
        let simple = !["atomic", "d_step", "unless", "timeout", "run"].iter().any(|word| body.contains(word));
        self.inlines.push(Inline { name: name.clone(), params, simple });
        format!("inline {name}({}) {{\n{body}\n}}", names.join(", "))
    }

    /// What a proctype sees of what is global.
    fn view(&mut self, number: usize, roles: &[Roles]) -> Scope {
        let mut scope = self.globals.clone();
        if self.has.apart {
            let kept: Vec<bool> = scope.vars.iter().map(|_| self.rng.chance(50)).collect();
            let mut kept = kept.into_iter();
            scope.vars.retain(|_| kept.next() == Some(true));
            let mut chans = Vec::new();
            for (mut chan, roles) in scope.chans.drain(..).zip(roles) {
                let leak = self.rng.chance(8);
                chan.sends = leak || roles.sender == number;
                chan.receives = leak || roles.receiver == number;
                if chan.sends || chan.receives {
                    chans.push(chan);
                }
            }
            scope.chans = chans;
        }
        scope.walked = None;
        scope.local_start = scope.vars.len();
        scope
    }

    fn parameters(&mut self, scope: &mut Scope) -> (String, Vec<Ty>) {
        let mut types = Vec::new();
        let mut texts = Vec::new();
        for _ in 0..self.rng.weighted(&[(4, 0), (4, 1), (2, 2)]) {
            let ty = match self.rng.below(6) {
                0 | 1 if self.has.carried || self.has.local_channels => Ty::Chan,
                2 if !self.mtypes.is_empty() => Ty::Mtype(0),
                3 => Ty::Bit,
                _ => Ty::Byte,
            };
            let name = self.name("p");
            texts.push(format!("{} {name}", word(ty)));
            if ty == Ty::Chan {
                scope.chans.push(self.channel_variable(&name));
            }
            scope.vars.push(Var { text: name, lens: Vec::new(), ty, written: ty != Ty::Chan });
            types.push(ty);
        }
        (texts.join("; "), types)
    }

    fn channel_variable(&self, name: &str) -> Chan {
        let fields = self.carried.clone();
        Chan { text: name.to_string(), lens: Vec::new(), capacity: None, fields, sends: true, receives: true }
    }

    /// Declarations at the start of a body, and what has to be done first.
    fn locals(&mut self, scope: &mut Scope, walked: Option<&str>) -> (Vec<String>, Vec<String>) {
        let (mut lines, mut first) = (Vec::new(), Vec::new());
        for _ in 0..self.rng.weighted(&[(2, 0), (4, 1), (3, 2)]) {
            lines.push(self.scalar(scope, "l", 45, Asker::Plain));
        }
        if self.has.arrays && self.rng.chance(30) {
            lines.push(self.array(scope, "lr"));
        }
        if self.has.structs && self.rng.chance(25) {
            let name = self.name("ls");
            lines.push(format!("TA {name};"));
            scope.vars.push(Var { text: format!("{name}.a[#]"), lens: vec![2], ty: Ty::Byte, written: true });
            scope.vars.push(Var { text: format!("{name}.b"), lens: Vec::new(), ty: Ty::Bit, written: true });
        }
        if let Some(chan) = walked
            && self.rng.chance(70)
        {
            let name = self.name("lm");
            lines.push(format!("TM {name};"));
            scope.vars.push(Var { text: format!("{name}.v"), lens: Vec::new(), ty: Ty::Byte, written: true });
            scope.vars.push(Var { text: format!("{name}.w"), lens: Vec::new(), ty: Ty::Bit, written: true });
            scope.walked = Some((chan.to_string(), name));
        }
        if self.has.local_channels && self.rng.chance(50) || self.has.carried && self.rng.chance(45) {
            let least = usize::from(!self.has.rendezvous && (self.has.priorities || self.has.enabled));
            let capacity = self.rng.weighted(&[(2, 0), (5, 1), (2, 2)]).max(least);
            let len = self.rng.chance(12).then_some(2);
            let prefix = if len.is_some() { "la" } else { "lc" };
            let (chan, line) = self.new_channel(prefix, capacity, self.carried.clone(), len);
            scope.chans.push(chan);
            lines.push(line);
        }
        if self.has.carried && self.rng.chance(65) {
            let name = self.name("v");
            lines.push(format!("chan {name};"));
            let value = self.value(Ty::Chan, scope, Asker::Process);
            let carriers: Vec<Chan> =
                scope.chans.iter().filter(|one| one.fields[0] == Ty::Chan && one.receives).cloned().collect();
            if !carriers.is_empty() && self.rng.chance(65) {
                let chan = self.rng.pick(&carriers).clone();
                first.push(format!("{}?{name}{}", chan.text, if chan.fields.len() > 1 { ",_" } else { "" }));
            } else if value != "0" {
                first.push(format!("{name} = {value}"));
            }
            scope.chans.push(self.channel_variable(&name));
            scope.vars.push(Var { text: name, lens: Vec::new(), ty: Ty::Chan, written: true });
        }
        (lines, first)
    }

    fn proctype(&mut self, number: usize, roles: &[Roles], started: bool) -> String {
        let walked = self.globals.walked.as_ref().map(|(chan, _)| chan.clone());
        let mut scope = self.view(number, roles);
        let name = format!("P{number}");
        let (params, types) = if started { self.parameters(&mut scope) } else { (String::new(), Vec::new()) };
        let (mut lines, first) = self.locals(&mut scope, walked.as_deref());
        if self.has.apart {
            for (chan, roles) in self.globals.chans.iter().zip(roles) {
                let claims = chan.lens.is_empty() && self.rng.chance(15);
                if claims && roles.receiver == number && scope.chans.iter().any(|one| one.text == chan.text) {
                    lines.push(format!("xr {};", chan.text));
                } else if claims && roles.sender == number && scope.chans.iter().any(|one| one.text == chan.text) {
                    lines.push(format!("xs {};", chan.text));
                }
            }
        }
        let body = self.body(&scope, first);
        let scalars = scope.vars[scope.local_start..].iter();
        let scalars = scalars.filter(|var| var.lens.is_empty() && !var.text.contains('.'));
        let scalars = scalars.map(|var| (var.text.clone(), var.ty)).collect();
        self.known.push(Proc { name: name.clone(), scalars, labels: std::mem::take(&mut self.placed) });
        let instances = if self.rng.chance(10) { " [2]" } else { "" };
        let active = if started { String::new() } else { format!("active{instances} ") };
        let word = if self.has.deterministic { "D_proctype" } else { "proctype" };
        let priority = match self.has.priorities && self.rng.chance(60) && !started {
            true => format!(" priority {}", self.rng.range(1, 3)),
            false => String::new(),
        };
        let provided = match self.has.provided && self.rng.chance(60) {
            true => {
                let globals = self.globals.clone();
                format!(" provided ({})", self.condition(1, &globals, Asker::Plain))
            }
            false => String::new(),
        };
        if started {
            self.startable.push(Startable { name: name.clone(), params: types });
        }
        format!("{active}{word} {name}({params}){priority}{provided} {{\n{}\n{body}\n}}", lines.join("\n"))
    }

    fn body(&mut self, scope: &Scope, first: Vec<String>) -> String {
        let orders = self.profile == Profile::Orders;
        self.fuel = self.rng.range(4, 12);
        self.labels.clear();
        self.promised.clear();
        self.placed.clear();
        let mut parts = first;
        let most = if orders { 5 } else { 4 };
        // Something is done before anything waits.
        if parts.is_empty() && self.rng.chance(60) {
            let sent = if self.rng.chance(40) { self.send(scope, true) } else { None };
            let begins = sent.unwrap_or_else(|| self.assignment(scope));
            parts.push(begins);
        }
        if self.has.loops && self.rng.chance(22) {
            let place = Place { in_loop: true, ..Place::body(scope).inner() };
            self.else_taken.push(false);
            let inside = self.sequence(place, 1, most - 1);
            self.else_taken.pop();
            let end = if self.rng.chance(40) { self.name("end") + ": " } else { String::new() };
            let inside = if matches!(inside.as_str(), "skip" | "true") { self.assignment(scope) } else { inside };
            parts.push(format!("{end}do\n:: {inside}\nod"));
        } else {
            parts.push(self.sequence(Place::body(scope), 1 + usize::from(orders), most));
        }
        for name in std::mem::take(&mut self.promised) {
            parts.push(format!("{name}: {}", self.assignment(scope)));
            self.placed.push(name);
        }
        parts.join(";\n")
    }

    fn init(&mut self) -> String {
        let walked = self.globals.walked.as_ref().map(|(chan, _)| chan.clone());
        let mut scope = self.globals.clone();
        (scope.walked, scope.local_start) = (None, scope.vars.len());
        let (lines, mut first) = self.locals(&mut scope, walked.as_deref());
        let mut runs = Vec::new();
        for one in self.startable.clone() {
            if self.rng.chance(75) {
                let values: Vec<String> = one.params.iter().map(|&ty| self.value(ty, &scope, Asker::Process)).collect();
                runs.push(format!("run {}({})", one.name, values.join(", ")));
            }
        }
        if self.rng.chance(60) && runs.len() > 1 {
            runs = vec![format!("atomic {{\n{}\n}}", runs.join(";\n"))];
        }
        if runs.is_empty() || self.rng.chance(50) {
            runs.push(self.body(&scope, Vec::new()));
        }
        first.extend(runs);
        format!("init {{\n{}\n{}\n}}", lines.join("\n"), first.join(";\n"))
    }
}

/// How a type is written.
fn word(ty: Ty) -> &'static str {
    match ty {
        Ty::Bit => "bit",
        Ty::Bool => "bool",
        Ty::Byte => "byte",
        Ty::Short => "short",
        Ty::Int => "int",
        Ty::Pid => "pid",
        Ty::Unsigned(_) => "unsigned",
        Ty::Mtype(_) => "mtype",
        Ty::Chan => "chan",
    }
}
