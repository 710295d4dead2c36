//! Transitions that depend on others being disabled.
//!
//! `else`, `unless`, the middle of a step of several transitions, and processes that must be deterministic: there a transition is
//! enabled, or not a fault, only while another one is disabled. It then reads what decides whether the other one is enabled.

use tightrope_ir::effects::processes::{Accesses, ActionEffects, StaticAccessKind};
use tightrope_ir::{Action, Binary, ChanRef, Expr, Process};

/// The effects of the transitions of a process, with what they read because others, or they themselves, must be disabled.
/// `may_block` says for each location whether a step may block there; `partner_reads` for each transition what decides
/// whether the partners of the send that it begins with are enabled.
pub fn with_disabling_reads(
    process: &Process,
    effects: &[ActionEffects],
    may_block: &[bool],
    partner_reads: &[Accesses],
) -> Vec<ActionEffects> {
    let mut all = effects.to_vec();
    for (location, &may_block) in process.locations.iter().zip(may_block) {
        for one in location.transitions() {
            let transition = &process.transitions[one];
            for other in location.transitions() {
                let escape = process.transitions[other].escape;
                let is_preempted = escape != 0 && escape != transition.escape;
                let is_itself = one == other;
                // Where a process must be deterministic, two enabled transitions are a fault.
                let depends = transition.action == Action::Else || is_preempted || process.deterministic;
                if is_itself && may_block || !is_itself && depends {
                    all[one].first.extend(effects[other].disabling_reads());
                    all[one].first.extend(&partner_reads[other]);
                    // A sequence that begins with a choice reads more than its guard does.
                    if matches!(process.transitions[other].action, Action::Indivisible(_)) {
                        let reads = effects[other].first.iter().map(|&(shared, _)| (shared, StaticAccessKind::Read));
                        all[one].first.extend(reads);
                    }
                }
            }
            // An indivisible sequence may begin with a choice between a send and something else.
            if matches!(transition.action, Action::Indivisible(_)) {
                all[one].first.extend(&partner_reads[one]);
            }
        }
    }
    all
}

/// Whether evaluating an expression may be a fault.
pub fn may_fail(expr: &Expr) -> bool {
    expr.any(|expr| match expr {
        Expr::Load(variable) => !variable.indices.is_empty(),
        Expr::Binary(Binary::Div | Binary::Rem, ..) | Expr::Bounded(_) | Expr::Table(_) | Expr::Poll(_) => true,
        Expr::Length(chan) | Expr::Full(chan) => matches!(chan, ChanRef::Named(_)),
        Expr::Enabled(_) | Expr::Run(_) => true,
        _ => false,
    })
}
