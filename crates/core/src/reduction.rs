//! What a reduction says of itself. The crates that implement reductions have the rows; the command line has the table.

use crate::SearchConfig;

/// A row of the table of reductions.
#[derive(Debug)]
pub struct Reduction {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// What it needs to know of the model. Nothing is reduced without.
    pub model: ModelSupport,
    /// Which searches can use it. Others refuse it.
    pub search: SearchSupport,
    /// Switches it on in the search, where the search takes part in it.
    pub configure: fn(&mut SearchConfig),
}

/// What a reduction needs to know of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelSupport {
    /// Which elements are interchangeable ([`crate::Model::symmetry`]).
    Symmetry,
    /// What steps read and write, from the text of the program that the model executes.
    Effects,
}

/// What a reduction needs of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchSupport {
    /// Nothing.
    Any,
    /// The path to the present state: the search is depth-first.
    Path,
}

impl Reduction {
    /// Refuses a model of which too little is known: whether it declares a symmetry, and whether the effects of its steps are
    /// known. The error is a sentence for people.
    pub fn allow_model(&self, has_symmetry: bool, has_effects: bool) -> Result<(), String> {
        match self.model {
            ModelSupport::Symmetry if !has_symmetry => {
                Err("the model declares no symmetry (a scalarset of at least two elements): nothing to reduce by it"
                    .into())
            }
            ModelSupport::Effects if !has_effects => Err(format!(
                "nothing is known of the actions of a transition system: no {} sets, nothing is reduced",
                self.name
            )),
            ModelSupport::Symmetry | ModelSupport::Effects => Ok(()),
        }
    }

    /// Refuses a search that does not keep the path to the present state, where that is needed. The error is a sentence for
    /// people.
    pub fn allow_search(&self, keeps_path: bool) -> Result<(), String> {
        match self.search {
            SearchSupport::Path if !keeps_path => {
                Err(format!("{} sets are for depth-first search; add `--search dfs`", self.name))
            }
            SearchSupport::Path | SearchSupport::Any => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_refused() {
        let row = |model, search| Reduction {
            name: "some",
            about: "",
            model,
            search,
            configure: |config| config.sleep = true,
        };
        let symmetry = row(ModelSupport::Symmetry, SearchSupport::Any);
        assert!(symmetry.allow_model(true, false).is_ok() && symmetry.allow_model(false, true).is_err());
        assert!(symmetry.allow_search(false).is_ok());
        let sleep = row(ModelSupport::Effects, SearchSupport::Path);
        assert!(sleep.allow_model(false, true).is_ok() && sleep.allow_model(true, false).is_err());
        assert!(sleep.allow_search(true).is_ok() && sleep.allow_search(false).is_err());
        let mut config = SearchConfig::default();
        (sleep.configure)(&mut config);
        assert!(config.sleep && !config.stubborn);
    }
}
