//! Expressions and references to variables.

use super::Lower;
use super::area::{Decl, Home};
use super::types::{Show, VarType};
use crate::ast::{self, BinOp, ExprKind, RecvArg, UnOp, VarRef};
use tightrope_core::Component;
use tightrope_ir::{Base, Binary, ChanRef, Expr, Index, Pattern, Receive, Run, Type, Unary, Variable};
use tightrope_syntax::{Diagnostic, Span, similar};

/// What a reference stands for.
pub(super) enum Target {
    /// A variable in the state (its first scalar, if it is a structure), and its type.
    Variable(Variable, VarType),
    /// A channel name that never changes: the channel, and its type.
    Channel(ChanRef, u32),
}

/// What becomes of a message that is received.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// It is taken.
    Take,
    /// It is looked at and stays.
    Stay,
    /// It is only asked whether it could be taken.
    Poll,
}

impl Lower<'_> {
    /// The declaration that a name means at some point.
    pub(super) fn lookup(&self, name: &str, owner: Option<usize>, scope: Option<u32>) -> Option<(Decl, Option<usize>)> {
        if let Some(process) = owner
            && let Some(binding) = self.areas[process].visible(scope).find(|binding| binding.name == name)
        {
            return Some((binding.decl.clone(), owner));
        }
        self.globals.globals.get(name).map(|decl| (decl.clone(), None))
    }

    /// What a reference stands for; a diagnostic if nothing.
    pub(super) fn target(&mut self, var: &VarRef, owner: Option<usize>, scope: Option<u32>) -> Option<Target> {
        let first = &var.parts[0];
        let Some((decl, home)) = self.lookup(&first.name.text, owner, scope) else {
            self.undeclared(&first.name.text, first.name.span, owner, scope);
            return None;
        };
        let base = if home.is_some() { Base::Own } else { Base::Global };
        self.target_in(decl, base, var, owner, scope)
    }

    /// Reports a name that is not declared, once for each process.
    fn undeclared(&mut self, name: &str, span: Span, owner: Option<usize>, scope: Option<u32>) {
        if self.unknown.contains(&(None, name.into())) || !self.unknown.insert((owner, name.into())) {
            return;
        }
        let mut diagnostic = Diagnostic::error(format!("`{name}` is not declared")).at(span, "not found");
        let locals = owner.map(|process| self.areas[process].visible(scope).map(|b| b.name.as_str()));
        let known = locals
            .into_iter()
            .flatten()
            .chain(self.globals.globals.keys().map(String::as_str))
            .chain(self.mtypes.names.keys().map(String::as_str));
        if let Some(similar) = similar(name, known.chain(["false", "skip", "timeout", "true"])) {
            diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
        }
        self.report(diagnostic);
    }

    /// An error about a name that is not found among those that there are.
    pub(super) fn not_found<'k>(
        message: String,
        name: &ast::Name,
        known: impl IntoIterator<Item = &'k str>,
    ) -> Diagnostic {
        let error = Diagnostic::error(message).at(name.span, "not found");
        match similar(&name.text, known) {
            Some(similar) => error.help(format!("did you mean `{similar}`?")),
            None => error,
        }
    }

    /// Reports that there is no such proctype.
    fn no_proctype(&mut self, name: &ast::Name) {
        let known = self.procs_by_name.keys().map(String::as_str);
        let error = Self::not_found(format!("there is no proctype `{}`", name.text), name, known);
        self.report(error);
    }

    /// What a reference stands for, given the declaration of its first part.
    fn target_in(
        &mut self,
        decl: Decl,
        base: Base,
        var: &VarRef,
        owner: Option<usize>,
        scope: Option<u32>,
    ) -> Option<Target> {
        let first = &var.parts[0];
        let index = self.index(&first.name, first.index.as_ref(), decl.count, owner, scope)?;
        let offset = match decl.home {
            Home::At(offset) => offset,
            Home::Channels(position) => {
                if let Some(part) = var.parts.get(1) {
                    let message = format!("`{}` is a channel and has no fields", first.name.text);
                    self.report(Diagnostic::error(message).at(part.name.span, "no such field"));
                    return None;
                }
                let fixed = |position: u32| match base {
                    Base::Global => ChanRef::Global(position),
                    _ => ChanRef::Own(position),
                };
                let chan = match index {
                    None => fixed(position),
                    Some((value, bound)) => match value.as_const() {
                        Some(value) if (value as u32) < bound => fixed(position + value as u32),
                        _ => {
                            let start = match base {
                                Base::Global => Expr::Const(position as i32 + 1),
                                _ => Expr::OwnChannel(position),
                            };
                            let name = first.name.text.clone();
                            let index = Expr::Bounded(Box::new(Index { value, low: 0, bound, stride: 1, name }));
                            let name = Expr::Binary(Binary::Add, Box::new(start), Box::new(index));
                            ChanRef::Named(Box::new(name))
                        }
                    },
                };
                return Some(Target::Channel(chan, decl.channel.unwrap_or(0)));
            }
        };
        let mut variable = Variable { base, offset, indices: Vec::new(), ty: Type::BYTE, declared: decl.declared };
        let mut ty = decl.ty;
        self.step_into(&mut variable, index, ty, &first.name.text);
        for part in &var.parts[1..] {
            let VarType::Struct(number) = ty else {
                let message = format!("`.{}` needs a structure", part.name.text);
                self.report(Diagnostic::error(message).at(part.name.span, "what stands before has no fields"));
                return None;
            };
            let Some(member) = self.structs[number].members.iter().find(|m| m.name == part.name.text).cloned() else {
                let known = self.structs[number].members.iter().map(|member| member.name.as_str());
                let error = Self::not_found(format!("there is no field `{}`", part.name.text), &part.name, known);
                let names: Vec<String> =
                    self.structs[number].members.iter().take(12).map(|member| format!("`{}`", member.name)).collect();
                self.report(error.note(format!("the fields are {}", names.join(", "))));
                return None;
            };
            let index = self.index(&part.name, part.index.as_ref(), member.count, owner, scope)?;
            variable.offset += member.offset;
            ty = member.ty;
            self.step_into(&mut variable, index, ty, &part.name.text);
        }
        if let VarType::Scalar(scalar, _) = ty {
            variable.ty = scalar;
        }
        Some(Target::Variable(variable, ty))
    }

    /// Applies an index to a variable: to its offset if it is a constant in range.
    fn step_into(&self, variable: &mut Variable, index: Option<(Expr, u32)>, ty: VarType, name: &str) {
        let Some((value, bound)) = index else { return };
        let stride = self.size_of(ty);
        match value.as_const() {
            Some(value) if (value as u32) < bound => variable.offset += value as u32 * stride,
            _ => variable.indices.push(Index { value, low: 0, bound, stride, name: name.to_string() }),
        }
    }

    /// The index of one part of a reference, which must be there exactly if it is an array.
    #[allow(clippy::option_option)]
    fn index(
        &mut self,
        name: &ast::Name,
        index: Option<&ast::Expr>,
        count: Option<u32>,
        owner: Option<usize>,
        scope: Option<u32>,
    ) -> Option<Option<(Expr, u32)>> {
        match (index, count) {
            (None, None) => Some(None),
            (Some(index), Some(bound)) => {
                let value = self.expr(index, owner, scope)?;
                self.check_bounds(&value, bound, index.span)?;
                Some(Some((value, bound)))
            }
            (None, Some(_)) => {
                let message = format!("`{}` is an array: an index is missing", name.text);
                self.report(Diagnostic::error(message).at(name.span, "which element?"));
                None
            }
            (Some(index), None) => {
                let message = format!("`{}` is not an array", name.text);
                self.report(Diagnostic::error(message).at(index.span, "an index is not possible here"));
                None
            }
        }
    }

    /// Warns about an index that is wrong wherever it is evaluated; in a goal it is an error.
    fn check_bounds(&mut self, value: &Expr, bound: u32, span: Span) -> Option<()> {
        let Some(value) = value.as_const().filter(|value| *value as u32 >= bound) else { return Some(()) };
        let message = format!("index {value} is out of bounds");
        let label = format!("the indices are 0 to {}", bound - 1);
        if self.in_goal {
            self.report(Diagnostic::error(message).at(span, label));
            return None;
        }
        let warning = Diagnostic::warning(message).at(span, label);
        self.report(warning.note("evaluating this is an error of the model"));
        Some(())
    }

    /// A channel that is sent to, received from or asked.
    pub(super) fn chan(
        &mut self,
        var: &VarRef,
        owner: Option<usize>,
        scope: Option<u32>,
    ) -> Option<(ChanRef, Option<u32>)> {
        match self.target(var, owner, scope)? {
            Target::Channel(chan, ty) => Some((chan, Some(ty))),
            Target::Variable(variable, VarType::Scalar(_, Show::Chan)) => {
                Some((ChanRef::Named(Box::new(Expr::Load(Box::new(variable)))), None))
            }
            Target::Variable(..) => {
                let name = &var.parts[0].name.text;
                self.report(Diagnostic::error(format!("`{name}` is not a channel")).at(var.span, "used as one"));
                None
            }
        }
    }

    /// A scalar variable that is written to.
    pub(super) fn variable(
        &mut self,
        var: &VarRef,
        owner: Option<usize>,
        scope: Option<u32>,
    ) -> Option<(Variable, Show)> {
        match self.target(var, owner, scope)? {
            Target::Variable(variable, VarType::Scalar(_, show)) => Some((variable, show)),
            Target::Variable(_, VarType::Struct(_)) => {
                let message = format!("`{}` is a structure: only its fields can be used here", var.parts[0].name.text);
                self.report(Diagnostic::error(message).at(var.span, "a whole structure"));
                None
            }
            Target::Channel(..) => {
                // Whatever is written to is kept in the state, so this is a use that only reads.
                let message = format!("`{}` cannot be changed here", var.parts[0].name.text);
                self.report(Diagnostic::error(message).at(var.span, "a channel"));
                None
            }
        }
    }

    /// The scalars that a variable consists of.
    pub(super) fn scalars(&self, variable: Variable, ty: VarType, each: &mut dyn FnMut(Variable)) {
        match ty {
            VarType::Scalar(ty, _) => each(Variable { ty, ..variable }),
            VarType::Struct(index) => {
                for member in &self.structs[index].members {
                    for element in 0..member.count.unwrap_or(1) {
                        let mut inner = variable.clone();
                        inner.offset += member.offset + element * self.size_of(member.ty);
                        self.scalars(inner, member.ty, each);
                    }
                }
            }
        }
    }

    /// An expression.
    pub(super) fn expr(&mut self, expr: &ast::Expr, owner: Option<usize>, scope: Option<u32>) -> Option<Expr> {
        if let Some(value) = self.try_constant(expr)
            && !self.shadowed(expr, owner, scope)
        {
            return Some(Expr::Const(value));
        }
        let sub = |lower: &mut Self, expr: &ast::Expr| lower.expr(expr, owner, scope).map(Box::new);
        Some(match &expr.kind {
            ExprKind::Const(value) => Expr::Const(*value),
            ExprKind::Var(var) => self.load(var, owner, scope)?,
            ExprKind::Unary(op, a) => {
                let op = match op {
                    UnOp::Neg => Unary::Neg,
                    UnOp::Not => Unary::Not,
                    UnOp::BitNot => Unary::Complement,
                };
                Expr::Unary(op, sub(self, a)?)
            }
            ExprKind::Binary(op, a, b) => {
                let same = self.same_mtype(a, b, owner, scope);
                let (a, b) = (sub(self, a), sub(self, b));
                let (a, b) = (a?, b?);
                same?;
                let op = match op {
                    BinOp::And => return Some(Expr::Both(a, b)),
                    BinOp::Or => return Some(Expr::Either(a, b)),
                    BinOp::Add => Binary::Add,
                    BinOp::Sub => Binary::Sub,
                    BinOp::Mul => Binary::Mul,
                    BinOp::Div => Binary::Div,
                    BinOp::Rem => Binary::Rem,
                    BinOp::Shl => Binary::Shl,
                    BinOp::Shr => Binary::Shr,
                    BinOp::BitAnd => Binary::And,
                    BinOp::BitOr => Binary::Or,
                    BinOp::BitXor => Binary::Xor,
                    BinOp::Lt => Binary::Lt,
                    BinOp::Le => Binary::Le,
                    BinOp::Gt => Binary::Gt,
                    BinOp::Ge => Binary::Ge,
                    BinOp::Eq => Binary::Eq,
                    BinOp::Ne => Binary::Ne,
                };
                Expr::Binary(op, a, b)
            }
            ExprKind::Cond(c, a, b) => {
                let parts = (self.expr(c, owner, scope)?, self.expr(a, owner, scope)?, self.expr(b, owner, scope)?);
                Expr::Choose(Box::new(parts))
            }
            ExprKind::Len(var) => Expr::Length(self.chan(var, owner, scope)?.0),
            ExprKind::Empty(var) => Expr::Unary(Unary::Not, Box::new(Expr::Length(self.chan(var, owner, scope)?.0))),
            ExprKind::Nempty(var) => {
                let length = Expr::Length(self.chan(var, owner, scope)?.0);
                Expr::Binary(Binary::Gt, Box::new(length), Box::new(Expr::Const(0)))
            }
            ExprKind::Full(var) => Expr::Full(self.chan(var, owner, scope)?.0),
            ExprKind::Nfull(var) => Expr::Unary(Unary::Not, Box::new(Expr::Full(self.chan(var, owner, scope)?.0))),
            ExprKind::Poll { chan, random, args } => {
                let mut receive = self.receive(chan, *random, Keep::Poll, args, owner, scope, expr.span)?;
                // A poll assigns nothing: what would be bound matches anything.
                for pattern in &mut receive.patterns {
                    if let Pattern::Bind(_) = pattern {
                        *pattern = Pattern::Any;
                    }
                }
                Expr::Poll(Box::new(receive))
            }
            ExprKind::Run { name, args, priority } => {
                let Some(&kind) = self.procs_by_name.get(&name.text) else {
                    self.no_proctype(name);
                    return None;
                };
                let values: Vec<Expr> = args.iter().filter_map(|arg| self.expr(arg, owner, scope)).collect();
                let wanted = self.param_counts[kind];
                if args.len() != wanted {
                    let takes = crate::counted(wanted, "argument");
                    let message = format!("`{}` takes {takes}, but {} given", name.text, crate::are(args.len()));
                    self.report(Diagnostic::error(message).at(expr.span, format!("{} given", args.len())));
                    return None;
                }
                if values.len() != args.len() {
                    return None;
                }
                let priority = match priority {
                    Some(priority) => self.expr(priority, owner, scope)?,
                    None => Expr::Const(1),
                };
                Expr::Run(Box::new(Run { kind: kind as u8, args: values, priority }))
            }
            ExprKind::Enabled(pid) => Expr::Enabled(sub(self, pid)?),
            ExprKind::PcValue(pid) => Expr::LocationOf(sub(self, pid)?, None),
            ExprKind::GetPriority(pid) => Expr::PriorityOf(sub(self, pid)?),
            ExprKind::SetPriority(..) => {
                let message = "`set_priority` is a statement of its own";
                self.report(Diagnostic::error(message).at(expr.span, "not possible inside an expression"));
                return None;
            }
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::NonProgress => Expr::NoProgress,
            ExprKind::RemoteLabel { proc, index, label } => {
                let (kind, pid) = self.remote(proc, index.as_deref(), owner, scope)?;
                let Some(location) = self.label_location(kind, &label.text) else {
                    let message = format!("`{}` has no label `{}`", proc.text, label.text);
                    let error = Self::not_found(message, label, self.labels[kind].keys().map(String::as_str));
                    self.report(error);
                    return None;
                };
                let here = Expr::LocationOf(Box::new(pid), Some(kind as u8));
                Expr::Binary(Binary::Eq, Box::new(here), Box::new(Expr::Const(location)))
            }
            ExprKind::RemoteVar { proc, index, var } => {
                let (kind, pid) = self.remote(proc, index.as_deref(), owner, scope)?;
                let first = &var.parts[0].name;
                let found = self.areas[kind].bindings.iter().find(|binding| binding.name == first.text);
                let Some(decl) = found.map(|binding| binding.decl.clone()) else {
                    let message = format!("`{}` has no variable `{}`", proc.text, first.text);
                    let known = self.areas[kind].bindings.iter().map(|binding| binding.name.as_str());
                    let error = Self::not_found(message, first, known);
                    self.report(error);
                    return None;
                };
                match self.target_in(decl, Base::Process(pid, kind as u8), var, owner, scope)? {
                    Target::Variable(variable, VarType::Scalar(..)) => Expr::Load(Box::new(variable)),
                    _ => {
                        let message = "only a scalar variable of another process can be read";
                        self.report(Diagnostic::error(message).at(var.span, "not a scalar"));
                        return None;
                    }
                }
            }
        })
    }

    /// The kind and the process number of a remote reference.
    fn remote(
        &mut self,
        proc: &ast::Name,
        index: Option<&ast::Expr>,
        owner: Option<usize>,
        scope: Option<u32>,
    ) -> Option<(usize, Expr)> {
        let Some(&kind) = self.procs_by_name.get(&proc.text) else {
            self.no_proctype(proc);
            return None;
        };
        let pid = match index {
            Some(index) => self.expr(index, owner, scope)?,
            None => Expr::FirstOf(kind as u8),
        };
        Some((kind, pid))
    }

    /// Whether a name in a constant expression is really a variable's.
    pub(super) fn shadowed(&self, expr: &ast::Expr, owner: Option<usize>, scope: Option<u32>) -> bool {
        match &expr.kind {
            ExprKind::Var(var) => self.lookup(&var.parts[0].name.text, owner, scope).is_some(),
            ExprKind::Unary(_, a) => self.shadowed(a, owner, scope),
            ExprKind::Binary(_, a, b) => self.shadowed(a, owner, scope) || self.shadowed(b, owner, scope),
            ExprKind::Cond(c, a, b) => [c, a, b].iter().any(|part| self.shadowed(part, owner, scope)),
            _ => false,
        }
    }

    /// Whether an expression is the constant 1, written as `skip`, `true`, a number or a symbolic name.
    pub(super) fn is_one(&self, expr: &ast::Expr, owner: usize, scope: Option<u32>) -> bool {
        matches!(expr.kind, ExprKind::Const(_) | ExprKind::Var(_))
            && self.try_constant(expr) == Some(1)
            && !self.shadowed(expr, Some(owner), scope)
    }

    /// The value of a variable, of a predefined one, or of a channel name.
    fn load(&mut self, var: &VarRef, owner: Option<usize>, scope: Option<u32>) -> Option<Expr> {
        let first = &var.parts[0].name;
        if var.parts.len() == 1 && self.lookup(&first.text, owner, scope).is_none() {
            match first.text.as_str() {
                "_pid" => return Some(Expr::OwnPid),
                "_nr_pr" => return Some(Expr::ProcessCount),
                "_last" => return Some(Expr::Load(Box::new(self.last_mover()))),
                "_priority" => return Some(Expr::PriorityOf(Box::new(Expr::OwnPid))),
                "_" => {
                    let message = "`_` can be written to, but not read";
                    self.report(Diagnostic::error(message).at(first.span, "read here"));
                    return None;
                }
                _ => {}
            }
        }
        match self.target(var, owner, scope)? {
            Target::Variable(variable, VarType::Scalar(..)) => Some(Expr::Load(Box::new(variable))),
            Target::Variable(_, VarType::Struct(_)) => {
                let message = format!("`{}` is a structure: only its fields can be used here", first.text);
                self.report(Diagnostic::error(message).at(var.span, "a whole structure"));
                None
            }
            Target::Channel(ChanRef::Global(position), _) => Some(Expr::Const(position as i32 + 1)),
            Target::Channel(ChanRef::Own(position), _) => Some(Expr::OwnChannel(position)),
            Target::Channel(ChanRef::Named(name), _) => Some(*name),
        }
    }

    /// The variable that holds who moved last.
    pub(super) fn last_mover(&mut self) -> Variable {
        let offset = match self.last {
            Some(offset) => offset,
            None => {
                let format = tightrope_core::Format::Number;
                let offset = self.globals.scalar("_last".into(), Type::BYTE, (0, 255), Component::Globals, format);
                self.globals.names.push("_last".into());
                *self.last.insert(offset)
            }
        };
        let declared = self.globals.names.iter().position(|name| name == "_last").unwrap_or(0) as u32;
        Variable { base: Base::Global, offset, indices: Vec::new(), ty: Type::BYTE, declared }
    }

    /// The mtype of an expression that is a plain name.
    pub(super) fn mtype_of(&self, expr: &ast::Expr, owner: Option<usize>, scope: Option<u32>) -> Option<usize> {
        let ExprKind::Var(var) = &expr.kind else { return None };
        let [part] = &var.parts[..] else { return None };
        match self.lookup(&part.name.text, owner, scope) {
            Some((decl, _)) => match decl.ty {
                VarType::Scalar(_, Show::Mtype(set)) => Some(set),
                _ => None,
            },
            None => self.mtypes.names.get(&part.name.text).map(|&(_, set)| set),
        }
    }

    /// Complains where names of two different mtypes meet.
    fn same_mtype(&mut self, a: &ast::Expr, b: &ast::Expr, owner: Option<usize>, scope: Option<u32>) -> Option<()> {
        let (Some(left), Some(right)) = (self.mtype_of(a, owner, scope), self.mtype_of(b, owner, scope)) else {
            return Some(());
        };
        if left == right {
            return Some(());
        }
        self.mixed_mtypes(left, right, a.span, b.span);
        None
    }

    /// Two different mtypes where there should be one.
    pub(super) fn mixed_mtypes(&mut self, left: usize, right: usize, at: Span, also: Span) {
        let name = |lower: &Self, set: usize| match lower.mtypes.sets[set].0.as_str() {
            "" => String::from("mtype"),
            name => format!("mtype:{name}"),
        };
        let diagnostic = Diagnostic::error("values of two different mtypes are mixed")
            .at(at, format!("this is of type `{}`", name(self, left)))
            .also(also, format!("this is of type `{}`", name(self, right)));
        self.report(diagnostic);
    }

    /// A receive: what is expected of each field.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn receive(
        &mut self,
        chan: &VarRef,
        anywhere: bool,
        keep: Keep,
        args: &[RecvArg],
        owner: Option<usize>,
        scope: Option<u32>,
        span: Span,
    ) -> Option<Receive> {
        let (chan, ty) = self.chan(chan, owner, scope)?;
        let polled = keep == Keep::Poll;
        let mut patterns = Vec::new();
        for arg in args {
            match arg {
                RecvArg::Any(_) => patterns.push(Pattern::Any),
                RecvArg::Const(value, _) => patterns.push(Pattern::Equal(Expr::Const(*value))),
                RecvArg::Eval(expr) => patterns.push(Pattern::Equal(self.expr(expr, owner, scope)?)),
                RecvArg::Var(var) => {
                    let first = &var.parts[0].name.text;
                    let plain = var.parts.len() == 1 && var.parts[0].index.is_none();
                    if plain && self.lookup(first, owner, scope).is_none() {
                        if let Some(&(value, _)) = self.mtypes.names.get(first) {
                            patterns.push(Pattern::Equal(Expr::Const(value)));
                            continue;
                        }
                        if first == "_" {
                            patterns.push(Pattern::Any);
                            continue;
                        }
                        if first == "_pid" {
                            patterns.push(Pattern::Equal(Expr::OwnPid));
                            continue;
                        }
                    }
                    match self.target(var, owner, scope)? {
                        Target::Variable(variable, ty) => {
                            let mut bound = Vec::new();
                            self.scalars(variable, ty, &mut |scalar| bound.push(Pattern::Bind(scalar)));
                            patterns.extend(bound);
                        }
                        Target::Channel(..) => {
                            let message = format!("`{first}` cannot receive a value");
                            self.report(Diagnostic::error(message).at(var.span, "a channel"));
                            return None;
                        }
                    }
                }
            }
        }
        // A poll may leave fields out; they can be anything.
        let wanted = ty.map_or(0, |ty| self.channels[ty as usize].fields.len());
        if !(polled && patterns.len() < wanted) {
            self.check_arity(ty, patterns.len(), "received", span)?;
        }
        Some(Receive { chan, anywhere, keep: keep != Keep::Take, patterns })
    }

    /// Complains where the number of fields cannot be right.
    pub(super) fn check_arity(&mut self, ty: Option<u32>, given: usize, verb: &str, span: Span) -> Option<()> {
        let Some(ty) = ty else { return Some(()) };
        let wanted = self.channels[ty as usize].fields.len();
        if given == wanted {
            return Some(());
        }
        let (fields, verb) = (crate::counted(wanted, "field"), format!("{} {verb}", crate::are(given)));
        let message = format!("messages of this channel have {fields}, but {verb}");
        self.report(Diagnostic::error(message).at(span, format!("{} here", crate::counted(given, "field"))));
        None
    }
}
