//! Answers by place, as computers give them, and by name, as people and records do.

use super::NavalGame;
use super::state::Open;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// An answer that can be put into names.
pub(crate) trait Spoken: Clone {
    /// The same by name; its JSON form is the answer's.
    type Named: Clone + Serialize + DeserializeOwned;

    fn named(&self, game: &NavalGame, open: &Open) -> Self::Named;
}

/// An answer, by place or by name. Its JSON form is by name either way.
#[derive(Clone)]
pub(crate) enum Said<'a, P: Spoken> {
    Placed { game: &'a NavalGame, open: &'a Open, plan: P },
    Named(P::Named),
}

impl<P: Spoken> Serialize for Said<'_, P> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Said::Placed { game, open, plan } => plan.named(game, open).serialize(serializer),
            Said::Named(named) => named.serialize(serializer),
        }
    }
}

impl<'de, P: Spoken> Deserialize<'de> for Said<'_, P> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        P::Named::deserialize(deserializer).map(Said::Named)
    }
}
