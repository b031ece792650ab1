//! What aircraft, decks, sonar and depth charges bring to an activation; their own modules say what it means.

/// An action as a fire plan shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::game) struct Shown {
    /// What acts: a stand, a deck, a sonar. Each acts once in a list.
    pub item: String,
    pub name: String,
    pub label: String,
    /// What that can be expected to bring, in thousandths of a victory point.
    pub worth: i64,
}
