//! How a fire plan is asked for. [section 18.8]

use super::offers::{Offer, What};
use super::plan::{FirePlan, Reply};
use crate::game::state::VesselId;
use crate::rule;
use crate::volley::percent;
use crate::words::Control;
use flagplot_kernel::{Candidate, Form, FormItem, OptionView, Prompt, Screen};

/// So many reasons why a battery is silent are given.
const MOST_REASONS: usize = 12;

impl Screen for FirePlan<'_> {
    fn prompt(&self) -> Prompt {
        let squad = self.game.battle.squad(self.squadron);
        let prompt = Prompt::new("actions", format!("What does {} do?", squad.name), rule::C_39);
        self.silent_batteries().into_iter().fold(prompt, Prompt::missing)
    }

    fn candidates(&self) -> Vec<Candidate<Reply>> {
        let end = Candidate::new(Reply::End, "End the activation");
        let mut ranked: Vec<(i64, &Offer)> =
            self.offers.iter().map(|offer| (self.game.offer_value(self.sea, self.squadron, offer), offer)).collect();
        ranked.sort_by_key(|(value, _)| -value);
        let single = ranked.into_iter().map(|(_, offer)| {
            let label = format!("{}: {}", self.item_name(offer), self.label(offer));
            Candidate::new(Reply::List(vec![self.game.action(&offer.what)]), label).at(self.pieces(offer))
        });
        self.plan().into_iter().chain(single).chain([end]).collect()
    }

    fn form(&self) -> Form {
        let mut items: Vec<(u16, FormItem)> = Vec::new();
        for offer in &self.offers {
            let action = serde_json::to_value(self.game.action(&offer.what)).unwrap_or_default();
            let option = OptionView::new(action, self.label(offer)).at(self.pieces(offer));
            match items.iter_mut().find(|(item, _)| *item == offer.item) {
                Some((_, item)) => item.options.push(option),
                None => {
                    let (id, label) = (self.item_id(offer), self.item_name(offer));
                    items.push((offer.item, FormItem { id, label, options: vec![option] }));
                }
            }
        }
        let items = items.into_iter().map(|(_, item)| item).collect();
        let plan = Form::Assign { items, none: "does not act".into() };
        Form::Choices { ways: vec![("Act".into(), plan), ("End the activation".into(), Form::Pick)] }
    }
}

impl FirePlan<'_> {
    fn name(&self, id: VesselId) -> &str {
        &self.game.battle.member(id).name
    }

    fn battery(&self, ship: VesselId, at: usize) -> &str {
        self.game.battle.model(ship).batteries.get(at).map_or("battery", |battery| battery.name.as_str())
    }

    /// Batteries that could fire this turn but not at anything in sight, each with the reason at the nearest enemy.
    fn silent_batteries(&self) -> Vec<String> {
        let (game, sea) = (self.game, self.sea);
        let side = game.battle.squad(self.squadron).side;
        let mut reasons = Vec::new();
        for &ship in &game.battle.squad(self.squadron).vessels {
            let vessel = sea.vessel(ship);
            let nearest = game.enemies(sea, side).min_by_key(|enemy| game.range(sea, ship, *enemy));
            let (true, Some(enemy)) = (vessel.in_play(), nearest) else { continue };
            let bearing = game.bearing(sea, ship, enemy);
            for (number, battery) in game.battle.model(ship).batteries.iter().enumerate() {
                let offered = self.offers.iter().any(|offer| {
                    matches!(&offer.what, What::Guns { bearing, battery, .. }
                        if bearing.shooter == ship && *battery == number)
                });
                if offered || game.ready_mounts(ship, vessel, battery) == 0 {
                    continue;
                }
                if let Err(bar) = game.shot(sea, &bearing, number, None, Control::Local) {
                    let refusal = game.barred(sea, &bearing, number, bar);
                    reasons.push(format!("{}, {}: {refusal}", self.name(ship), battery.name));
                }
            }
        }
        reasons.truncate(MOST_REASONS);
        reasons
    }

    /// What acts, by a name for programs.
    fn item_id(&self, offer: &Offer) -> String {
        let id = |vessel: VesselId| self.game.battle.member(vessel).id.to_string();
        let battery = |ship: VesselId, at: usize| {
            let batteries = &self.game.battle.model(ship).batteries;
            batteries.get(at).map_or_else(String::new, |battery| battery.id.to_string())
        };
        match &offer.what {
            What::Guns { bearing, battery: at, .. } => {
                format!("{}.{}", id(bearing.shooter), battery(bearing.shooter, *at))
            }
            What::Light { ship, weapon, .. } => format!("{}.{}", id(*ship), weapon.word()),
            What::Spot { ship, .. } => format!("{}.lookouts", id(*ship)),
            What::AirSpot { stand, .. } => format!("{}.lookouts", self.game.battle.flight(*stand).id),
            What::Searchlight { ship, .. } => format!("{}.searchlight", id(*ship)),
            What::StarShell { ship, battery: at, .. } => {
                format!("{}.star-shell.{}", id(*ship), battery(*ship, *at))
            }
            What::AntiAir { ship, flak, .. } => format!("{}.anti-air.{flak}", id(*ship)),
            // The piece that acts comes first, then what it does and to whom.
            What::Air(_) | What::Deep(_) => {
                format!("{}.{}", self.pieces(offer).first().map_or("", String::as_str), offer.item)
            }
        }
    }

    fn item_name(&self, offer: &Offer) -> String {
        match &offer.what {
            What::Guns { bearing, battery, .. } => {
                format!("{}, {}", self.name(bearing.shooter), self.battery(bearing.shooter, *battery))
            }
            What::Light { ship, weapon, .. } => format!("{}, {}", self.name(*ship), weapon.word().to_uppercase()),
            What::Spot { ship, .. } => format!("{}, lookouts", self.name(*ship)),
            What::AirSpot { stand, .. } => self.game.battle.flight(*stand).name.clone(),
            What::Searchlight { ship, .. } => format!("{}, searchlight", self.name(*ship)),
            What::StarShell { ship, battery, .. } => {
                format!("{}, star shell of the {}", self.name(*ship), self.battery(*ship, *battery))
            }
            What::AntiAir { ship, flak, .. } => {
                format!("{}, {} at aircraft", self.name(*ship), flak.word().to_uppercase())
            }
            What::Air(act) => self.game.show_air(self.sea, self.squadron, act).name,
            What::Deep(act) => self.game.show_deep(self.sea, self.squadron, act).name,
        }
    }

    /// What it does: `Admiral Graf Spee, Directed: 45%, 6.2 points`.
    fn label(&self, offer: &Offer) -> String {
        match &offer.what {
            What::Guns { bearing, battery, guns, control } => {
                let chance = self.game.shot_chance(self.sea, bearing, *battery, *guns, *control);
                let value = self.game.offer_value(self.sea, self.squadron, offer);
                let control = match control {
                    Control::Directed => "Directed",
                    Control::Local => "Local",
                };
                format!("{}, {control}: {}, {} points", self.name(bearing.target), percent(chance), points(value))
            }
            What::Light { target, .. } => self.name(*target).to_owned(),
            What::Spot { contact, .. } | What::AirSpot { contact, .. } => {
                format!("look for {}", self.game.marker_name(*contact))
            }
            What::Searchlight { target, .. } | What::StarShell { target, .. } => {
                format!("light {}", self.name(*target))
            }
            What::AntiAir { stand, .. } => self.game.battle.flight(*stand).name.clone(),
            What::Air(act) => self.game.show_air(self.sea, self.squadron, act).label,
            What::Deep(act) => self.game.show_deep(self.sea, self.squadron, act).label,
        }
    }

    fn pieces(&self, offer: &Offer) -> Vec<String> {
        let id = |vessel: VesselId| self.game.battle.member(vessel).id.to_string();
        match &offer.what {
            What::Guns { bearing, .. } => vec![id(bearing.shooter), id(bearing.target)],
            What::Light { ship, target, .. }
            | What::Searchlight { ship, target }
            | What::StarShell { ship, target, .. } => vec![id(*ship), id(*target)],
            What::AntiAir { ship, stand, .. } => vec![id(*ship), self.game.battle.flight(*stand).id.to_string()],
            What::Spot { ship, contact } => vec![id(*ship), self.game.marker_id(*contact).to_string()],
            What::AirSpot { stand, contact } => {
                vec![self.game.battle.flight(*stand).id.to_string(), self.game.marker_id(*contact).to_string()]
            }
            What::Air(act) => self.game.air_pieces(self.sea, act),
            What::Deep(act) => act.pieces(),
        }
    }
}

/// Thousandths as points with one decimal.
pub(in crate::game) fn points(thousandths: i64) -> String {
    let tenths = (thousandths + 50) / 100;
    format!("{}.{}", tenths / 10, tenths % 10)
}
