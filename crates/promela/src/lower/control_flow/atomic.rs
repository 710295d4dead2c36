//! `atomic`: which elements keep control.

use super::{ControlFlow, ElementId, ElementKind};

impl ControlFlow<'_> {
    pub(super) fn make_atomic(&mut self, list: &[ElementId]) {
        self.mark_atomic(list);
        let Some(&last) = list.last() else { return };
        match self.elements[last as usize].kind.clone() {
            ElementKind::Block(inner) | ElementKind::Atomic(inner) => self.make_atomic(&inner),
            _ => {
                let last = &mut self.elements[last as usize];
                last.atomic = false;
                last.atomic_end = true;
            }
        }
    }

    fn mark_atomic(&mut self, list: &[ElementId]) {
        for &id in list {
            self.elements[id as usize].atomic = true;
            for inner in self.inner(id, false) {
                self.mark_atomic(&inner);
            }
        }
    }

    /// A jump out of an atomic sequence ends it.
    pub(super) fn leave_atomic(&mut self) {
        for id in 0..self.elements.len() {
            let Some(target) = self.jumps_to(&self.elements[id]) else { continue };
            let target = &self.elements[target as usize];
            if !target.atomic && !target.atomic_end {
                self.elements[id].atomic = false;
            }
        }
    }
}
