//! Walks over the tree.

use super::{Expr, ExprKind, Init, Module, RecvArg, Seq, Stmt, StmtKind, Unit, VarDecls, VarRef};

/// Calls `each` with every statement of a sequence, outer ones first.
pub fn statements<'a>(seq: &'a Seq, each: &mut dyn FnMut(&'a Stmt)) {
    for stmt in &seq.stmts {
        statement(stmt, each);
    }
}

fn statement<'a>(stmt: &'a Stmt, each: &mut dyn FnMut(&'a Stmt)) {
    each(stmt);
    match &stmt.kind {
        StmtKind::If(options) | StmtKind::Do(options) => options.iter().for_each(|seq| statements(seq, each)),
        StmtKind::Atomic(seq) | StmtKind::DStep(seq) | StmtKind::Block(seq) => statements(seq, each),
        StmtKind::ForRange { body, .. } | StmtKind::ForIn { body, .. } => statements(body, each),
        StmtKind::Unless(main, escape) => {
            statement(main, each);
            statement(escape, each);
        }
        _ => {}
    }
}

/// Calls `each` with every statement of every body.
pub fn module_statements<'a>(module: &'a Module, each: &mut dyn FnMut(&'a Stmt)) {
    for unit in &module.units {
        match unit {
            Unit::Proctype(proc) => statements(&proc.body, each),
            Unit::Claim(claim) => statements(&claim.body, each),
            _ => {}
        }
    }
}

/// Calls `each` with every expression of the module and its goal, outer ones first.
pub fn module_expressions<'a>(module: &'a Module, each: &mut dyn FnMut(&'a Expr)) {
    for unit in &module.units {
        match unit {
            Unit::Vars(decls) => declarations(decls, each),
            Unit::Proctype(proc) => {
                if let Some(provided) = &proc.provided {
                    expression(provided, each);
                }
            }
            _ => {}
        }
    }
    module_statements(module, &mut |stmt| statement_expressions(stmt, each));
    module.goal.iter().for_each(|goal| expression(goal, each));
}

fn declarations<'a>(decls: &'a VarDecls, each: &mut dyn FnMut(&'a Expr)) {
    for var in &decls.vars {
        match &var.init {
            Some(Init::Expr(expr)) => expression(expr, each),
            Some(Init::List(list, _)) => list.iter().for_each(|expr| expression(expr, each)),
            Some(Init::Chan(_)) | None => {}
        }
    }
}

/// Calls `each` with the expressions of a statement, not those of statements inside it.
fn statement_expressions<'a>(stmt: &'a Stmt, each: &mut dyn FnMut(&'a Expr)) {
    match &stmt.kind {
        StmtKind::Decl(decls) => declarations(decls, each),
        StmtKind::ForRange { var, low, high, .. } | StmtKind::Select { var, low, high } => {
            reference(var, each);
            expression(&low.value, each);
            expression(&high.value, each);
        }
        StmtKind::ForIn { var, over, .. } => {
            reference(var, each);
            reference(over, each);
        }
        StmtKind::Send { chan, args, .. } => {
            reference(chan, each);
            args.iter().for_each(|arg| expression(arg, each));
        }
        StmtKind::Recv { chan, args, .. } => {
            reference(chan, each);
            arguments(args, each);
        }
        StmtKind::Assign(var, expr) => {
            reference(var, each);
            expression(expr, each);
        }
        StmtKind::Increment(var) | StmtKind::Decrement(var) => reference(var, each),
        StmtKind::Assert(expr) | StmtKind::Printm(expr) | StmtKind::Expr(expr) => expression(expr, each),
        StmtKind::Printf(_, args) => args.iter().for_each(|arg| expression(arg, each)),
        StmtKind::Xr(vars) | StmtKind::Xs(vars) => vars.iter().for_each(|var| reference(var, each)),
        StmtKind::If(_)
        | StmtKind::Do(_)
        | StmtKind::Atomic(_)
        | StmtKind::DStep(_)
        | StmtKind::Block(_)
        | StmtKind::Unless(..)
        | StmtKind::Else
        | StmtKind::Break
        | StmtKind::Goto(_) => {}
    }
}

fn arguments<'a>(args: &'a [RecvArg], each: &mut dyn FnMut(&'a Expr)) {
    for arg in args {
        match arg {
            RecvArg::Var(var) => reference(var, each),
            RecvArg::Eval(expr) => expression(expr, each),
            RecvArg::Any(_) | RecvArg::Const(..) => {}
        }
    }
}

fn reference<'a>(var: &'a VarRef, each: &mut dyn FnMut(&'a Expr)) {
    for index in var.parts.iter().filter_map(|part| part.index.as_ref()) {
        expression(index, each);
    }
}

/// Calls `each` with an expression and all inside it. Works through a list instead of calling itself: a chain of
/// operators can be long.
pub fn expression<'a>(expr: &'a Expr, each: &mut dyn FnMut(&'a Expr)) {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        each(expr);
        let mut refs: Vec<&'a VarRef> = Vec::new();
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Timeout | ExprKind::NonProgress => {}
            ExprKind::Var(var) => refs.push(var),
            ExprKind::Unary(_, a) | ExprKind::Enabled(a) | ExprKind::PcValue(a) | ExprKind::GetPriority(a) => {
                pending.push(a)
            }
            ExprKind::Binary(_, a, b) | ExprKind::SetPriority(a, b) => pending.extend([&**a, &**b]),
            ExprKind::Cond(a, b, c) => pending.extend([&**a, &**b, &**c]),
            ExprKind::Len(var)
            | ExprKind::Empty(var)
            | ExprKind::Nempty(var)
            | ExprKind::Full(var)
            | ExprKind::Nfull(var) => refs.push(var),
            ExprKind::Poll { chan, args, .. } => {
                refs.push(chan);
                for arg in args {
                    match arg {
                        RecvArg::Var(var) => refs.push(var),
                        RecvArg::Eval(expr) => pending.push(expr),
                        RecvArg::Any(_) | RecvArg::Const(..) => {}
                    }
                }
            }
            ExprKind::Run { args, priority, .. } => {
                pending.extend(args);
                pending.extend(priority.as_deref());
            }
            ExprKind::RemoteLabel { index, .. } => pending.extend(index.as_deref()),
            ExprKind::RemoteVar { index, var, .. } => {
                pending.extend(index.as_deref());
                refs.push(var);
            }
        }
        for var in refs {
            pending.extend(var.parts.iter().filter_map(|part| part.index.as_ref()));
        }
    }
}
