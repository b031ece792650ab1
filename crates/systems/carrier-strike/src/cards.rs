//! The tables as chart cards.

use crate::data::Book;
use crate::rule;
use crate::words::Stance;
use flagplot_referee::Chart;

impl Book {
    /// What players look up.
    pub(crate) fn cards(&self) -> Vec<Chart> {
        let hits = &self.hits_inflicted;
        let shift = |at: usize| match at as i64 - i64::from(hits.start_column) {
            0 => "start".to_owned(),
            shift => format!("{shift:+}"),
        };
        let inflicted = Chart::new("hits-inflicted", "Hits inflicted", rule::HITS_INFLICTED, "", "aircraft for a hit")
            .columns(hits.one_hit_per.map(|aircraft| format!("1 per {aircraft}")))
            .row("shift", (0..hits.one_hit_per.len()).map(shift))
            .note("Shift once by the sum of everything, staying on the table; fractions are dropped.");
        let die = Chart::new("die-shift", "Shift of the die", rule::HITS_INFLICTED, "", "die")
            .columns(1..=hits.die_shift.len())
            .row("columns", hits.die_shift.map(|shift| format!("{shift:+}")));
        let card = &self.combat_card;
        let against = Stance::ALL.map(|stance| format!("against {stance}"));
        let mut stances = Chart::new("combat-card", "Combat card", rule::C_1, "stance", "").columns(["aggression".to_owned()].into_iter().chain(against));
        for own in Stance::ALL {
            let shifts = Stance::ALL.map(|enemy| format!("{:+}", card.shift(own, enemy)));
            stances = stances.row(own, [card.aggression(own).to_string()].into_iter().chain(shifts));
        }
        let stances = stances.note("Against a stance: the shift of the hits one inflicts.");
        let found = |row: &[bool; 7]| row.map(|found| if found { "found" } else { "–" });
        let detection = Chart::new("detection", "Detection", rule::DETECT, "searcher", "sum of the two secret numbers")
            .columns(2..=8)
            .row("combat-or-cv", found(&self.detection.combat_or_cv))
            .row("recce", found(&self.detection.recce));
        let guns =
            Chart::new("anti-aircraft", "Guns of a carrier group", rule::C_2, "", "hits").columns(0..self.carrier.aa_by_hits.len()).row("guns", self.carrier.aa_by_hits);
        vec![inflicted, die, stances, detection, guns]
    }
}
