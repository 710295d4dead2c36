//! Syntax trees as Promela with every separator and every parenthesis in place.

use crate::ast::*;

pub(super) fn module(module: &Module) -> String {
    let units: Vec<String> = module.units.iter().map(unit).collect();
    units.join(" ")
}

fn unit(unit: &Unit) -> String {
    match unit {
        Unit::Typedef(t) => format!("typedef {} {{ {} }}", t.name.text, list(&t.fields, "; ", decls)),
        Unit::Mtype(m) => {
            let subset = m.subset.as_ref().map_or(String::new(), |s| format!(":{}", s.text));
            format!("mtype{subset} = {{ {} }};", list(&m.names, ", ", |n| n.text.clone()))
        }
        Unit::Vars(v) => format!("{};", decls(v)),
        Unit::Proctype(p) => proctype(p),
        Unit::Claim(c) => {
            let keyword = match c.kind {
                ClaimKind::Never => "never",
                ClaimKind::Trace => "trace",
                ClaimKind::Notrace => "notrace",
            };
            let name = c.name.as_ref().map_or(String::new(), |n| format!(" {}", n.text));
            format!("{keyword}{name} {{ {} }}", seq(&c.body))
        }
        Unit::Ltl(l) => {
            let name = l.name.as_ref().map_or(String::new(), |n| format!(" {}", n.text));
            format!("ltl{name} {{ {} }}", l.formula)
        }
        Unit::Inline(name) => format!("inline {}() {{ skip }}", name.text),
    }
}

fn proctype(p: &Proctype) -> String {
    let mut head = match &p.active {
        None => String::new(),
        Some(ActiveCount::One) => "active ".to_string(),
        Some(ActiveCount::Count(count)) => format!("active [{}] ", expr(count)),
    };
    if p.is_init {
        head.push_str("init");
    } else {
        let keyword = if p.deterministic { "D_proctype" } else { "proctype" };
        head.push_str(&format!("{keyword} {}({})", p.name.text, list(&p.params, "; ", decls)));
    }
    if let Some(priority) = &p.priority {
        head.push_str(&format!(" priority {}", expr(priority)));
    }
    if let Some(provided) = &p.provided {
        head.push_str(&format!(" provided ({})", expr(provided)));
    }
    format!("{head} {{ {} }}", seq(&p.body))
}

fn list<T>(items: &[T], separator: &str, show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(separator)
}

fn type_name(ty: &TypeName) -> String {
    match ty {
        TypeName::Bit => "bit".into(),
        TypeName::Bool => "bool".into(),
        TypeName::Byte => "byte".into(),
        TypeName::Pid => "pid".into(),
        TypeName::Short => "short".into(),
        TypeName::Int => "int".into(),
        TypeName::Unsigned => "unsigned".into(),
        TypeName::Mtype(None) => "mtype".into(),
        TypeName::Mtype(Some(subset)) => format!("mtype:{}", subset.text),
        TypeName::Chan => "chan".into(),
        TypeName::User(name) => name.text.clone(),
    }
}

fn decls(d: &VarDecls) -> String {
    let visibility = match d.visibility {
        Visibility::Plain => "",
        Visibility::Hidden => "hidden ",
        Visibility::Show => "show ",
        Visibility::Local => "local ",
    };
    format!("{visibility}{} {}", type_name(&d.ty), list(&d.vars, ", ", declarator))
}

fn declarator(v: &VarDecl) -> String {
    let mut text = v.name.text.clone();
    if let Some(width) = &v.width {
        text.push_str(&format!(" : {}", expr(width)));
    }
    if let Some(array) = &v.array {
        text.push_str(&format!("[{}]", expr(array)));
    }
    match &v.init {
        None => {}
        Some(Init::Expr(e)) => text.push_str(&format!(" = {}", expr(e))),
        Some(Init::List(values, _)) => text.push_str(&format!(" = {{ {} }}", list(values, ", ", expr))),
        Some(Init::Chan(c)) => {
            let fields = list(&c.fields, ", ", |(ty, _)| type_name(ty));
            text.push_str(&format!(" = [{}] of {{ {fields} }}", expr(&c.capacity)));
        }
    }
    text
}

pub(super) fn seq(s: &Seq) -> String {
    list(&s.stmts, "; ", stmt)
}

fn options(keyword: &str, options: &[Seq], end: &str) -> String {
    format!("{keyword} {} {end}", list(options, " ", |o| format!(":: {}", seq(o))))
}

fn stmt(s: &Stmt) -> String {
    let labels: String = s.labels.iter().map(|l| format!("{}: ", l.text)).collect();
    let text = match &s.kind {
        StmtKind::Decl(d) => decls(d),
        StmtKind::Xr(chans) => format!("xr {}", list(chans, ", ", var)),
        StmtKind::Xs(chans) => format!("xs {}", list(chans, ", ", var)),
        StmtKind::If(o) => options("if", o, "fi"),
        StmtKind::Do(o) => options("do", o, "od"),
        StmtKind::Atomic(b) => format!("atomic {{ {} }}", seq(b)),
        StmtKind::DStep(b) => format!("d_step {{ {} }}", seq(b)),
        StmtKind::Block(b) => format!("{{ {} }}", seq(b)),
        StmtKind::ForRange { var: v, low, high, body } => {
            format!("for ({} : {} .. {}) {{ {} }}", var(v), expr(&low.value), expr(&high.value), seq(body))
        }
        StmtKind::ForIn { var: v, over, body } => format!("for ({} in {}) {{ {} }}", var(v), var(over), seq(body)),
        StmtKind::Select { var: v, low, high } => {
            format!("select ({} : {} .. {})", var(v), expr(&low.value), expr(&high.value))
        }
        StmtKind::Unless(main, escape) => format!("{} unless {}", stmt(main), stmt(escape)),
        StmtKind::Send { chan, sorted, args } => {
            format!("{} {} {}", var(chan), if *sorted { "!!" } else { "!" }, list(args, ", ", expr))
        }
        StmtKind::Recv { chan, random, keep, args } => {
            let operator = if *random { "??" } else { "?" };
            let (open, close) = if *keep { ("< ", " >") } else { ("", "") };
            format!("{} {operator} {open}{}{close}", var(chan), list(args, ", ", pattern))
        }
        StmtKind::Assign(v, e) => format!("{} = {}", var(v), expr(e)),
        StmtKind::Increment(v) => format!("{}++", var(v)),
        StmtKind::Decrement(v) => format!("{}--", var(v)),
        StmtKind::Assert(e) => format!("assert({})", expr(e)),
        StmtKind::Printf(format, args) => {
            let args: String = args.iter().map(|a| format!(", {}", expr(a))).collect();
            format!("printf({format:?}{args})")
        }
        StmtKind::Printm(e) => format!("printm({})", expr(e)),
        StmtKind::Expr(e) => expr(e),
        StmtKind::Else => "else".into(),
        StmtKind::Break => "break".into(),
        StmtKind::Goto(label) => format!("goto {}", label.text),
    };
    labels + &text
}

fn pattern(p: &RecvArg) -> String {
    match p {
        RecvArg::Var(v) => var(v),
        RecvArg::Any(_) => "_".into(),
        RecvArg::Eval(e) => format!("eval({})", expr(e)),
        RecvArg::Const(value, _) => value.to_string(),
    }
}

fn var(v: &VarRef) -> String {
    list(&v.parts, ".", |part| match &part.index {
        Some(index) => format!("{}[{}]", part.name.text, expr(index)),
        None => part.name.text.clone(),
    })
}

fn process(proc: &Name, index: &Option<Box<Expr>>) -> String {
    match index {
        Some(index) => format!("{}[{}]", proc.text, expr(index)),
        None => proc.text.clone(),
    }
}

fn binary(operator: BinOp) -> &'static str {
    match operator {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::BitAnd => "&",
        BinOp::BitOr => "|",
        BinOp::BitXor => "^",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::And => "&&",
        BinOp::Or => "||",
    }
}

pub(super) fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Const(value) => value.to_string(),
        ExprKind::Var(v) => var(v),
        ExprKind::Unary(UnOp::Neg, e) => format!("(- {})", expr(e)),
        ExprKind::Unary(UnOp::Not, e) => format!("(! {})", expr(e)),
        ExprKind::Unary(UnOp::BitNot, e) => format!("(~ {})", expr(e)),
        ExprKind::Binary(operator, a, b) => format!("({} {} {})", expr(a), binary(*operator), expr(b)),
        ExprKind::Cond(c, a, b) => format!("({} -> {} : {})", expr(c), expr(a), expr(b)),
        ExprKind::Len(c) => format!("len({})", var(c)),
        ExprKind::Empty(c) => format!("empty({})", var(c)),
        ExprKind::Nempty(c) => format!("nempty({})", var(c)),
        ExprKind::Full(c) => format!("full({})", var(c)),
        ExprKind::Nfull(c) => format!("nfull({})", var(c)),
        ExprKind::Poll { chan, random, args } => {
            format!("{} {} [{}]", var(chan), if *random { "??" } else { "?" }, list(args, ", ", pattern))
        }
        ExprKind::Run { name, args, priority } => {
            let priority = priority.as_ref().map_or(String::new(), |p| format!(" priority {}", expr(p)));
            format!("run {}({}){priority}", name.text, list(args, ", ", expr))
        }
        ExprKind::Enabled(e) => format!("enabled({})", expr(e)),
        ExprKind::PcValue(e) => format!("pc_value({})", expr(e)),
        ExprKind::GetPriority(e) => format!("get_priority({})", expr(e)),
        ExprKind::SetPriority(a, b) => format!("set_priority({}, {})", expr(a), expr(b)),
        ExprKind::Timeout => "timeout".into(),
        ExprKind::NonProgress => "np_".into(),
        ExprKind::RemoteLabel { proc, index, label } => format!("{}@{}", process(proc, index), label.text),
        ExprKind::RemoteVar { proc, index, var: v } => format!("{}:{}", process(proc, index), var(v)),
    }
}
