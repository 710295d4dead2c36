//! What `hir` promises about a model, checked.

use tightrope_dve::hir::*;

/// Panics unless a model is what its documentation says.
pub fn check(model: &Model) {
    assert!(!model.processes.is_empty());
    assert!(model.property.is_none_or(|property| property < model.processes.len()));
    model.variables.iter().for_each(variable);
    for table in &model.tables {
        assert!(!table.values.is_empty() && table.values.iter().all(|&value| table.ty.truncate(value) == value));
        assert!(table.process.is_none_or(|process| process < model.processes.len()));
    }
    for channel in &model.channels {
        match &channel.types {
            Some(types) => assert!(!types.is_empty() && channel.arity == types.len()),
            None => assert!(channel.capacity == 0),
        }
    }
    model.processes.iter().for_each(|process| check_process(model, process));
    check_arities(model);
}

/// Panics unless an expression fits its model.
pub fn check_expr(model: &Model, expr: &Expr) {
    match &expr.kind {
        ExprKind::Const(_) => {}
        ExprKind::Variable(place) => check_place(model, place),
        ExprKind::Table { table, subscript } => {
            assert!(*table < model.tables.len());
            check_expr(model, subscript);
        }
        ExprKind::InState { process, state } => assert!(*state < model.processes[*process].states.len()),
        ExprKind::Unary(_, operand) => check_expr(model, operand),
        ExprKind::Binary(_, operands)
        | ExprKind::And(operands)
        | ExprKind::Or(operands)
        | ExprKind::Imply(operands) => {
            check_expr(model, &operands.0);
            check_expr(model, &operands.1);
        }
    }
    assert!(expr.span.start < expr.span.end);
}

fn variable(variable: &Variable) {
    assert_eq!(variable.initial.len(), variable.length.unwrap_or(1));
    assert!(variable.length.is_none_or(|length| (1..=65535).contains(&length)));
    assert!(variable.initial.iter().all(|&value| variable.ty.truncate(value) == value));
}

fn check_place(model: &Model, place: &Place) {
    assert_eq!(model.variable(place).length.is_some(), place.subscript.is_some());
    place.subscript.iter().for_each(|subscript| check_expr(model, subscript));
}

fn check_process(model: &Model, process: &Process) {
    process.variables.iter().for_each(variable);
    let is_state = |&state: &usize| state < process.states.len();
    let is_set = |states: &Vec<usize>| {
        let different: std::collections::BTreeSet<&usize> = states.iter().collect();
        states.iter().all(is_state) && different.len() == states.len()
    };
    assert!(is_state(&process.init));
    match &process.accept {
        Acceptance::None | Acceptance::Buchi => {}
        Acceptance::GenBuchi(sets) | Acceptance::Muller(sets) => assert!(sets.iter().all(is_set)),
        Acceptance::Rabin(pairs) | Acceptance::Streett(pairs) => {
            assert!(pairs.iter().all(|(first, second)| is_set(first) && is_set(second)));
        }
    }
    let accepting = process.states.iter().any(|state| state.accept);
    assert_eq!(accepting, process.accept == Acceptance::Buchi);
    for assert in &process.asserts {
        assert!(is_state(&assert.state));
        check_expr(model, &assert.condition);
    }
    for transition in &process.transitions {
        assert!(is_state(&transition.from) && is_state(&transition.to));
        transition.guard.iter().for_each(|guard| check_expr(model, guard));
        for assignment in &transition.effects {
            check_place(model, &assignment.target);
            check_expr(model, &assignment.value);
        }
        match transition.sync.as_ref().map(|sync| &sync.exchange) {
            Some(Exchange::Send(values)) => values.iter().for_each(|value| check_expr(model, value)),
            Some(Exchange::Receive(places)) => places.iter().for_each(|place| check_place(model, place)),
            None => {}
        }
    }
    let position = model.processes.iter().position(|other| std::ptr::eq(other, process)).expect("it is there");
    assert!(process.transitions.iter().all(|transition| transition.text(model, position).contains(" -> ")));
}

fn check_arities(model: &Model) {
    for (number, channel) in model.channels.iter().enumerate() {
        let transitions = model.processes.iter().flat_map(|process| &process.transitions);
        let syncs = transitions.filter_map(|transition| transition.sync.as_ref()).filter(|sync| sync.channel == number);
        let (mut sent, mut received) = (Vec::new(), Vec::new());
        for sync in syncs {
            match &sync.exchange {
                Exchange::Send(values) => sent.push(values.len()),
                Exchange::Receive(places) => received.push(places.len()),
            }
        }
        let one_sided = channel.types.is_none() && (sent.is_empty() || received.is_empty());
        let mut counts = sent.iter().chain(&received);
        assert!(counts.all(|&count| count == channel.arity || (one_sided && count <= 1)));
    }
}
