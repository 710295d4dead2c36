//! Parts of the tree as text, close to how they are written in DVE, with as few parentheses as possible.
//!
//! Variables of processes are written `P->x`; with the process that the text is about, its own variables are just `x`.

use super::{Assignment, Binary, Exchange, Expr, ExprKind, Model, Place, Sync, Transition, Unary};

/// The levels of operators, from loosest to tightest.
const IMPLY: u8 = 1;
const CONNECTIVE: u8 = 2;
const PREFIX: u8 = 9;
const PRIMARY: u8 = 10;

impl Binary {
    /// How it is written.
    pub fn spelled(self) -> &'static str {
        match self {
            Binary::BitOr => "|",
            Binary::BitAnd => "&",
            Binary::BitXor => "^",
            Binary::Eq => "==",
            Binary::Ne => "!=",
            Binary::Lt => "<",
            Binary::Le => "<=",
            Binary::Gt => ">",
            Binary::Ge => ">=",
            Binary::Shl => "<<",
            Binary::Shr => ">>",
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Mod => "%",
        }
    }

    /// How tight it binds: between `and`, which has 2, and signs, which have 9.
    pub(crate) fn level(self) -> u8 {
        match self {
            Binary::BitOr | Binary::BitAnd | Binary::BitXor => 3,
            Binary::Eq | Binary::Ne => 4,
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => 5,
            Binary::Shl | Binary::Shr => 6,
            Binary::Add | Binary::Sub => 7,
            Binary::Mul | Binary::Div | Binary::Mod => 8,
        }
    }
}

impl Expr {
    /// The expression as text.
    pub fn text(&self, model: &Model) -> String {
        write(model, None, |writer| writer.expr(self, IMPLY))
    }

    /// The expression as text, as it is written inside of a process.
    pub fn text_in(&self, model: &Model, process: usize) -> String {
        write(model, Some(process), |writer| writer.expr(self, IMPLY))
    }
}

impl Place {
    /// The variable or element as text, as it is written inside of a process, or outside of all.
    pub fn text(&self, model: &Model, process: Option<usize>) -> String {
        write(model, process, |writer| writer.place(self))
    }
}

impl Sync {
    /// The synchronization as text, as it is written inside of a process: `c!x + 1`, `c?{x, y}`.
    pub fn text(&self, model: &Model, process: usize) -> String {
        write(model, Some(process), |writer| writer.sync(self))
    }
}

impl Assignment {
    /// The assignment as text, as it is written inside of a process: `x = y + 1`.
    pub fn text(&self, model: &Model, process: usize) -> String {
        write(model, Some(process), |writer| writer.assignment(self))
    }
}

impl Transition {
    /// The transition of a process as text: `a -> b { guard x; sync c!; effect y = 1, z = 2; }`.
    pub fn text(&self, model: &Model, process: usize) -> String {
        write(model, Some(process), |writer| {
            let states = &model.processes[process].states;
            let ends = format!("{} -> {} {{", states[self.from].name, states[self.to].name);
            writer.out += &ends;
            if let Some(guard) = &self.guard {
                writer.out += " guard ";
                writer.expr(guard, IMPLY);
                writer.out += ";";
            }
            if let Some(sync) = &self.sync {
                writer.out += " sync ";
                writer.sync(sync);
                writer.out += ";";
            }
            if !self.effects.is_empty() {
                writer.out += " effect ";
                writer.list(&self.effects, Writer::assignment);
                writer.out += ";";
            }
            writer.out += " }";
        })
    }
}

fn write<'m>(model: &'m Model, within: Option<usize>, part: impl FnOnce(&mut Writer<'m>)) -> String {
    let mut writer = Writer { model, within, out: String::new() };
    part(&mut writer);
    writer.out
}

struct Writer<'m> {
    model: &'m Model,
    /// The process whose own names are written without it.
    within: Option<usize>,
    out: String,
}

impl Writer<'_> {
    fn list<T>(&mut self, items: &[T], mut one: impl FnMut(&mut Self, &T)) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.out += ", ";
            }
            one(self, item);
        }
    }

    fn owner(&mut self, process: Option<usize>) {
        if let Some(process) = process.filter(|_| process != self.within) {
            self.out += &self.model.processes[process].name;
            self.out += "->";
        }
    }

    fn subscript(&mut self, subscript: &Expr) {
        self.out += "[";
        self.expr(subscript, IMPLY);
        self.out += "]";
    }

    fn place(&mut self, place: &Place) {
        self.owner(place.process);
        self.out += &self.model.variable(place).name;
        if let Some(subscript) = &place.subscript {
            self.subscript(subscript);
        }
    }

    fn assignment(&mut self, assignment: &Assignment) {
        self.place(&assignment.target);
        self.out += " = ";
        self.expr(&assignment.value, IMPLY);
    }

    fn sync(&mut self, sync: &Sync) {
        self.out += &self.model.channels[sync.channel].name;
        match &sync.exchange {
            Exchange::Send(values) => {
                self.out += "!";
                self.values(values, |writer, value| writer.expr(value, IMPLY));
            }
            Exchange::Receive(places) => {
                self.out += "?";
                self.values(places, |writer, place| writer.place(place));
            }
        }
    }

    /// What is sent or received: braces stand around more than one.
    fn values<T>(&mut self, values: &[T], one: impl FnMut(&mut Self, &T)) {
        let several = values.len() > 1;
        self.out += if several { "{" } else { "" };
        self.list(values, one);
        self.out += if several { "}" } else { "" };
    }

    /// An expression where operators of at least this level need no parentheses.
    fn expr(&mut self, expr: &Expr, least: u8) {
        let closed = level(expr) >= least;
        self.out += if closed { "" } else { "(" };
        match &expr.kind {
            ExprKind::Const(value) => self.out += &value.to_string(),
            ExprKind::Variable(place) => self.place(place),
            ExprKind::Table { table, subscript } => {
                let table = &self.model.tables[*table];
                self.owner(table.process);
                self.out += &table.name;
                self.subscript(subscript);
            }
            ExprKind::InState { process, state } => {
                let process = &self.model.processes[*process];
                self.out += &process.name;
                self.out += ".";
                self.out += &process.states[*state].name;
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, operands) => self.binary(op.spelled(), op.level(), operands),
            ExprKind::Imply(operands) => self.binary("imply", IMPLY, operands),
            ExprKind::And(_) => self.connective(expr, "and"),
            ExprKind::Or(_) => self.connective(expr, "or"),
        }
        self.out += if closed { "" } else { ")" };
    }

    fn unary(&mut self, op: Unary, operand: &Expr) {
        self.out += match op {
            Unary::Neg => "-",
            Unary::BitNot => "~",
            Unary::Not => "not ",
        };
        let starts_with_minus = matches!(operand.kind, ExprKind::Unary(Unary::Neg, _) | ExprKind::Const(..0));
        self.expr(operand, if op == Unary::Neg && starts_with_minus { PRIMARY } else { PREFIX });
    }

    fn binary(&mut self, op: &str, level: u8, operands: &(Expr, Expr)) {
        self.expr(&operands.0, level);
        self.out += " ";
        self.out += op;
        self.out += " ";
        self.expr(&operands.1, level + 1);
    }

    /// A chain of the same `and` or `or`, however it is grouped.
    fn connective(&mut self, expr: &Expr, op: &str) {
        let mut waiting = vec![expr];
        let mut first = true;
        while let Some(next) = waiting.pop() {
            match (&next.kind, &expr.kind) {
                (ExprKind::And(operands), ExprKind::And(_)) | (ExprKind::Or(operands), ExprKind::Or(_)) => {
                    waiting.push(&operands.1);
                    waiting.push(&operands.0);
                }
                _ if first => {
                    self.expr(next, CONNECTIVE);
                    first = false;
                }
                _ => {
                    self.out += " ";
                    self.out += op;
                    self.out += " ";
                    self.expr(next, CONNECTIVE + 1);
                }
            }
        }
    }
}

fn level(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Const(..0) | ExprKind::Unary(..) => PREFIX,
        ExprKind::Const(_) | ExprKind::Variable(_) | ExprKind::Table { .. } | ExprKind::InState { .. } => PRIMARY,
        ExprKind::Binary(op, _) => op.level(),
        ExprKind::And(_) | ExprKind::Or(_) => CONNECTIVE,
        ExprKind::Imply(_) => IMPLY,
    }
}
