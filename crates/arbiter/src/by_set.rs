//! Answers side by side, one for each rule set.

use serde::{Serialize, Serializer};

/// One value for each rule set, by its name, in the order in which the sets were asked for; a JSON object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BySet<T>(pub Vec<(&'static str, T)>);

impl<T> BySet<T> {
    /// The value for a rule set.
    pub fn get(&self, set: &str) -> Option<&T> {
        self.iter().find(|(name, _)| *name == set).map(|(_, value)| value)
    }

    /// The names with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &T)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }
}

impl<T> FromIterator<(&'static str, T)> for BySet<T> {
    fn from_iter<I: IntoIterator<Item = (&'static str, T)>>(values: I) -> BySet<T> {
        BySet(values.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for BySet<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
