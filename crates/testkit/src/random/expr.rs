//! Random expressions, variables and channels.

use super::code::Author;
use super::layout::Declared;
use tightrope_ir::{Binary, ChanRef, Expr, Index, Pattern, Receive, Run, Unary, Variable};

#[derive(Clone, Copy)]
enum Leaf {
    Const,
    Load,
    OwnPid,
    Count,
    Channel,
    Other,
}

impl Author<'_> {
    /// A constant.
    fn constant(&mut self) -> Expr {
        Expr::Const(self.rng.weighted(&[(4, 0), (5, 1), (3, 2), (2, 3), (1, -1)]))
    }

    /// An index for an array; out of bounds now and then, where faults are wanted.
    fn index(&mut self, kind: usize, len: u32) -> Expr {
        if self.features.faults && self.rng.chance(8) {
            return self.expr(kind, 1);
        }
        if self.rng.chance(50) {
            return Expr::Const(self.rng.below(len as usize) as i32);
        }
        // The low bits are never negative; the remainder is then in bounds.
        let value = Expr::Binary(Binary::And, Box::new(self.expr(kind, 0)), Box::new(Expr::Const(0xff)));
        Expr::Binary(Binary::Rem, Box::new(value), Box::new(Expr::Const(len as i32)))
    }

    fn indexed(&mut self, kind: usize, declared: &Declared) -> Vec<Expr> {
        if declared.len > 1 { vec![self.index(kind, declared.len)] } else { Vec::new() }
    }

    /// Some variable that a process of this kind can write, and the bound of what it is to hold; none if it has none.
    pub(super) fn variable(&mut self, kind: usize, wanted: fn(&Declared) -> bool) -> Option<(Variable, i32)> {
        let layout = self.layout;
        let own = layout.kinds[kind].variables.iter().enumerate().map(|(at, declared)| (false, at, declared));
        let global = layout.globals.iter().enumerate().map(|(at, declared)| (true, at, declared));
        let all: Vec<(bool, usize, &Declared)> = own.chain(global).filter(|(_, _, one)| wanted(one)).collect();
        if all.is_empty() {
            return None;
        }
        let &(is_global, at, declared) = self.rng.pick(&all);
        let index = self.indexed(kind, declared);
        let variable = if is_global { declared.global(at, index) } else { declared.own(at, index) };
        Some((variable, declared.modulus))
    }

    /// An expression for a process of this kind, at most so deep.
    pub(super) fn expr(&mut self, kind: usize, depth: u32) -> Expr {
        if depth == 0 || self.rng.chance(25) {
            return self.leaf(kind);
        }
        match self.rng.below(12) {
            0 => {
                let op = *self.rng.pick(&[Unary::Neg, Unary::Not, Unary::Complement]);
                Expr::Unary(op, Box::new(self.expr(kind, depth - 1)))
            }
            1 => Expr::Both(Box::new(self.expr(kind, depth - 1)), Box::new(self.expr(kind, depth - 1))),
            2 => Expr::Either(Box::new(self.expr(kind, depth - 1)), Box::new(self.expr(kind, depth - 1))),
            3 => {
                let parts = (self.expr(kind, depth - 1), self.expr(kind, depth - 1), self.expr(kind, depth - 1));
                Expr::Choose(Box::new(parts))
            }
            4 => self.division(kind, depth),
            5 => {
                let value = Expr::Binary(Binary::And, Box::new(self.expr(kind, depth - 1)), Box::new(Expr::Const(3)));
                let bound = if self.features.faults { 3 } else { 4 };
                Expr::Bounded(Box::new(Index { value, low: 0, bound, stride: 1, name: String::new() }))
            }
            _ => {
                let op = self.rng.weighted(&[
                    (3, Binary::Add),
                    (2, Binary::Sub),
                    (1, Binary::Mul),
                    (1, Binary::And),
                    (1, Binary::Or),
                    (1, Binary::Xor),
                    (1, Binary::Shl),
                    (1, Binary::Shr),
                    (2, Binary::Lt),
                    (1, Binary::Le),
                    (1, Binary::Gt),
                    (1, Binary::Ge),
                    (3, Binary::Eq),
                    (2, Binary::Ne),
                ]);
                Expr::Binary(op, Box::new(self.expr(kind, depth - 1)), Box::new(self.expr(kind, depth - 1)))
            }
        }
    }

    fn division(&mut self, kind: usize, depth: u32) -> Expr {
        let op = *self.rng.pick(&[Binary::Div, Binary::Rem]);
        let divisor = if self.features.faults && self.rng.chance(30) {
            self.expr(kind, 0)
        } else {
            Expr::Const(self.rng.range(2, 3))
        };
        Expr::Binary(op, Box::new(self.expr(kind, depth - 1)), Box::new(divisor))
    }

    fn leaf(&mut self, kind: usize) -> Expr {
        let leaf = self.rng.weighted(&[
            (4, Leaf::Const),
            (10, Leaf::Load),
            (1, Leaf::OwnPid),
            (1, Leaf::Count),
            (if self.features.channels { 2 } else { 0 }, Leaf::Channel),
            (if self.features.asks_others { 2 } else { 0 }, Leaf::Other),
        ]);
        match leaf {
            Leaf::Const => self.constant(),
            Leaf::Load => match self.variable(kind, |_| true) {
                Some((variable, _)) => Expr::Load(Box::new(variable)),
                None => self.constant(),
            },
            Leaf::OwnPid => Expr::OwnPid,
            Leaf::Count => Expr::ProcessCount,
            Leaf::Channel => self.about_channel(kind),
            Leaf::Other => self.about_others(kind),
        }
    }

    fn about_channel(&mut self, kind: usize) -> Expr {
        let Some((chan, fields)) = self.channel(kind) else { return self.constant() };
        match self.rng.below(3) {
            0 => Expr::Length(chan),
            1 => Expr::Full(chan),
            _ => {
                let patterns = (0..fields).map(|_| match self.rng.chance(50) {
                    true => Pattern::Any,
                    false => Pattern::Equal(self.constant()),
                });
                let patterns = patterns.collect();
                Expr::Poll(Box::new(Receive { chan, anywhere: self.rng.chance(40), keep: true, patterns }))
            }
        }
    }

    fn about_others(&mut self, kind: usize) -> Expr {
        let other = self.rng.below(self.layout.kinds.len());
        let pid = if self.rng.chance(50) { Expr::FirstOf(other as u8) } else { Expr::Const(self.rng.range(-1, 3)) };
        match self.rng.below(6) {
            0 => pid,
            1 => Expr::LocationOf(Box::new(pid), self.rng.chance(50).then_some(other as u8)),
            2 => Expr::PriorityOf(Box::new(pid)),
            3 => Expr::NoProgress,
            // Whether another process can move depends on its tests: only the first kind asks, and only about others,
            // so that no two wait for each other's answer.
            4 if kind == 0 && other != 0 => Expr::Enabled(Box::new(Expr::FirstOf(other as u8))),
            _ => {
                let variables = &self.layout.kinds[other].variables;
                let at = self.rng.below(variables.len());
                match variables.get(at) {
                    Some(declared) => {
                        let index = self.indexed(kind, declared);
                        Expr::Load(Box::new(declared.remote(at, pid, other as u8, index)))
                    }
                    None => pid,
                }
            }
        }
    }

    /// A channel and how many fields its messages (most likely) have; none if there is none.
    pub(super) fn channel(&mut self, kind: usize) -> Option<(ChanRef, usize)> {
        let layout = self.layout;
        let fields = |number: u32| layout.channels[number as usize].fields.len();
        if !self.features.channels && layout.kinds[kind].channels.is_empty() {
            return None;
        }
        if self.rng.chance(25)
            && let Some((variable, _)) = self.variable(kind, |declared| declared.is_channel)
        {
            let some = self.rng.below(layout.channels.len());
            return Some((ChanRef::Named(Box::new(Expr::Load(Box::new(variable)))), fields(some as u32)));
        }
        let own = &layout.kinds[kind].channels;
        if !own.is_empty() && (layout.global_channels.is_empty() || self.rng.chance(40)) {
            let at = self.rng.below(own.len());
            return Some((ChanRef::Own(at as u32), fields(own[at].channel)));
        }
        if layout.global_channels.is_empty() {
            return None;
        }
        let at = self.rng.below(layout.global_channels.len());
        Some((ChanRef::Global(at as u32), fields(layout.global_channels[at].channel)))
    }

    /// The name of a channel, for a variable that holds one.
    pub(super) fn channel_name(&mut self, kind: usize) -> Expr {
        if !self.layout.kinds[kind].channels.is_empty() && self.rng.chance(60) {
            return Expr::OwnChannel(0);
        }
        let least = if self.features.faults && self.rng.chance(20) { 0 } else { 1 };
        let most = self.layout.global_channels.len() as i32;
        Expr::Const(self.rng.range(least, most.max(1)))
    }

    /// A value cut to a small range.
    pub(super) fn small(&mut self, kind: usize, modulus: i32, depth: u32) -> Expr {
        if self.rng.chance(30) {
            return Expr::Const(self.rng.range(0, modulus - 1));
        }
        Expr::Binary(Binary::Rem, Box::new(self.expr(kind, depth)), Box::new(Expr::Const(modulus)))
    }

    /// Starts a process, while there are few.
    pub(super) fn run(&mut self, kind: usize) -> Expr {
        let started = self.rng.below(self.layout.kinds.len());
        let parameters = &self.layout.kinds[started].variables[..self.layout.kinds[started].params];
        let args = parameters
            .iter()
            .map(|declared| match declared.is_channel {
                true => self.channel_name(kind),
                false => self.small(kind, declared.modulus, 1),
            })
            .collect();
        let priority = Expr::Const(self.rng.range(1, 3));
        Expr::Run(Box::new(Run { kind: started as u8, args, priority }))
    }
}
