//! What everybody may conclude is announced to everybody, and is true.

use crate::common::asked;
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::{Desk, DiceSource};
use flagplot_kernel::{Chance, Viewer};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What stands on the pieces of a game, as the one who sees everything reads it.
#[derive(Default)]
struct Truth(BTreeMap<String, BTreeSet<String>>);

impl Truth {
    /// Learns from cards that lie face down and from dice; a card that is turned over says no more which it was.
    fn look(&mut self, desk: &Desk) {
        for piece in desk.situation(Viewer::Everything).scene.pieces {
            let telling = piece.states.iter().any(|state| ["real", "decoy"].contains(&state.as_str()));
            if telling || piece.kind != "card" {
                self.0.insert(piece.id, piece.states.into_iter().collect());
            }
        }
    }

    fn says(&self, piece: &str, state: &str) -> bool {
        self.0.get(piece).is_some_and(|states| states.contains(state))
    }
}

#[test]
fn a_deduction_is_announced_to_everybody_and_is_true() {
    let catalog = Catalog::built_in();
    let (mut cards, mut dummies) = (0, 0);
    let games = ["coral-sea", "santa-cruz"].into_iter().flat_map(|scenario| (0..24).map(move |seed| (scenario, seed)));
    for (scenario, seed) in games {
        // Players who wander let their dummies be found out more often.
        let kind = if seed % 2 == 0 { PlayerKind::Greedy } else { PlayerKind::Random };
        let seats = vec!["Ann".into(), "Bob".into()];
        let dice = DiceSource::Seeded(seed);
        let mut desk = Desk::open(&catalog, "carrier-strike", scenario, Value::Null, seats, dice).unwrap();
        let mut chance = Chance::seeded(seed);
        let (mut truth, mut read) = (Truth::default(), 0);
        while let Some(seat) = asked(&desk) {
            truth.look(&desk);
            let value = desk.think(seat, kind, &mut chance).unwrap();
            desk.answer(seat, value).unwrap();
            if desk.is_over() {
                break;
            }
            // A spectator knows no secret, so what is said here is said to everybody.
            for line in desk.log(Viewer::Spectator, read) {
                read = line.number;
                if line.note.what != "deduced" {
                    continue;
                }
                let piece = line.note.pieces.last().unwrap();
                let text = &line.note.text;
                if text.contains("must be a dummy") {
                    assert!(truth.says(piece, "dummy"), "{scenario}, seed {seed}: {text}");
                    dummies += 1;
                } else {
                    assert!(text.contains("carrier group"), "{text}");
                    assert!(truth.says(piece, "real"), "{scenario}, seed {seed}: {text}");
                    cards += 1;
                }
            }
        }
    }
    assert!(cards > 0 && dummies > 0, "{cards} cards and {dummies} dummies were deduced");
}
