//! Forwarding, for models that wrap a model.

/// Implements the named methods of [`Model`](crate::Model) by calling them on the model in a field: `delegate_model!(inner:
/// schema, check);` inside of an `impl Model`. A wrapper names all methods that it does not implement itself, those with
/// defaults included: the default of a method would hide what the wrapped model says. `#[deny(clippy::missing_trait_methods)]`
/// on the `impl` reports a method that is neither named nor implemented.
#[macro_export]
macro_rules! delegate_model {
    ($field:ident: $($method:ident),+ $(,)?) => { $($crate::delegate_model!(@ $field $method);)+ };
    (@ $field:ident schema) => {
        $crate::delegate_model!(@fn $field schema() -> &::std::sync::Arc<$crate::Schema>);
    };
    (@ $field:ident initial) => {
        $crate::delegate_model!(@fn $field initial(each: &mut dyn FnMut(&[u8])));
    };
    (@ $field:ident expand) => {
        $crate::delegate_model!(@fn $field expand(state: &[u8], out: &mut $crate::Successors));
    };
    (@ $field:ident successors) => {
        $crate::delegate_model!(@fn $field successors(state: &[u8], out: &mut $crate::Successors));
    };
    (@ $field:ident successors_with_footprints) => {
        $crate::delegate_model!(@fn $field successors_with_footprints(
            state: &[u8], out: &mut $crate::Successors, footprints: &mut $crate::Footprints
        ) -> bool);
    };
    (@ $field:ident stubborn_set) => {
        $crate::delegate_model!(@fn $field stubborn_set(
            state: &[u8], steps: (&$crate::Successors, usize), satisfies_proviso: &[bool], in_set: &mut Vec<bool>,
            scratch: &mut $crate::Scratch
        ) -> bool);
    };
    (@ $field:ident fire) => {
        $crate::delegate_model!(@fn $field fire(
            state: &[u8], step: $crate::Step, to: &mut Vec<u8>, scratch: &mut $crate::Scratch
        ) -> $crate::Fired);
    };
    (@ $field:ident fire_nth) => {
        $crate::delegate_model!(@fn $field fire_nth(
            state: &[u8], number: usize, to: &mut Vec<u8>, out: &mut $crate::Successors
        ) -> $crate::Fired);
    };
    (@ $field:ident check) => {
        $crate::delegate_model!(@fn $field check(state: &[u8], scratch: &mut $crate::Scratch) -> Option<$crate::Fault>);
    };
    (@ $field:ident is_error_state) => {
        $crate::delegate_model!(@fn $field is_error_state(state: &[u8]) -> bool);
    };
    (@ $field:ident step_class) => {
        $crate::delegate_model!(@fn $field step_class(state: &[u8], step: $crate::Step) -> $crate::StepClass);
    };
    (@ $field:ident statements) => {
        $crate::delegate_model!(@fn $field statements() -> Option<&dyn $crate::Statements>);
    };
    (@ $field:ident describe) => {
        $crate::delegate_model!(@fn $field describe(
            state: &[u8], step: $crate::Step, each: &mut dyn FnMut($crate::StepText)
        ));
    };
    (@ $field:ident label) => {
        $crate::delegate_model!(@fn $field label(state: &[u8], step: $crate::Step, out: &mut String));
    };
    (@ $field:ident symmetry) => {
        $crate::delegate_model!(@fn $field symmetry() -> Option<&::std::sync::Arc<$crate::Symmetry>>);
    };
    (@ $field:ident describe_initial) => {
        $crate::delegate_model!(@fn $field describe_initial(number: u32) -> Option<$crate::StepText>);
    };
    (@ $field:ident deadlock) => {
        $crate::delegate_model!(@fn $field deadlock() -> &'static str);
    };
    (@ $field:ident standing) => {
        $crate::delegate_model!(@fn $field standing(state: &[u8]) -> Vec<$crate::StepText>);
    };
    (@ $field:ident unreached) => {
        $crate::delegate_model!(@fn $field unreached(scratch: &$crate::Scratch) -> Vec<$crate::StepText>);
    };
    (@fn $field:ident $method:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?) => {
        fn $method(&self, $($argument: $type),*) $(-> $result)? {
            self.$field.$method($($argument),*)
        }
    };
}

#[cfg(test)]
mod tests {
    use crate::Model;

    /// Forwards everything.
    struct Wrapper<'m> {
        inner: &'m dyn Model,
    }

    #[deny(clippy::missing_trait_methods)]
    impl Model for Wrapper<'_> {
        delegate_model!(
            inner: schema, initial, expand, successors, successors_with_footprints, stubborn_set, fire, fire_nth,
            check, is_error_state, step_class, statements, describe, label, symmetry, describe_initial, deadlock, standing,
            unreached,
        );
    }

    /// The names after `marker`, up to what is no part of a name.
    fn names<'t>(text: &'t str, marker: &'t str) -> Vec<&'t str> {
        let name = |rest: &'t str| rest.split(|end: char| !end.is_alphanumeric() && end != '_').next();
        let mut names: Vec<&str> = text.split(marker).skip(1).filter_map(name).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn every_method_of_a_model_can_be_forwarded() {
        fn is_model(_: &impl Model) {}
        let _: fn(&Wrapper<'_>) = |wrapper| is_model(wrapper);
        let declared = include_str!("model.rs").split("pub trait Model").nth(1).expect("the trait");
        let declared = declared.split("\n}").next().expect("its end");
        let forwarded = include_str!("delegate.rs").split("#[cfg(test)]").next().expect("the macro");
        assert_eq!(names(declared, "\n    fn "), names(forwarded, "(@fn $field "));
    }
}
