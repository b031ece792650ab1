//! The Battle Board: the line and the boxes of both sides.

use crate::attack::Order;
use crate::battle::{Fighter, Ground, Phase, Place, Units, counter};
use crate::custom::{CustomGame, CustomState, cost};
use crate::day_night::Action;
use crate::faction::Role;
use crate::raid::{self, Raid};
use crate::results::{BoxName, box_of};
use crate::rules::Rules;
use crate::scenario::{Fight, ScenarioGame, ScenarioState};
use crate::unit::{Counter, Factor, Sheet};
use flagplot_kernel::scene::{Arrow, Badge, BoxArea, Light, Piece, Place as At, Scene, Surface};
use flagplot_kernel::{BySide, Side};

pub fn box_id(side: Side, name: &str) -> String {
    format!("{}-{name}", if side == Side::First { "first" } else { "second" })
}

pub struct Board<'a> {
    pub rules: &'a Rules,
    pub names: &'a BySide<String>,
    pub sheets: &'a BySide<Vec<Sheet>>,
    pub units: &'a Units,
    pub fight: Option<&'a Fight>,
}

impl<'a> Board<'a> {
    pub fn new(ground: &Ground<'a>, units: &'a Units, fight: Option<&'a Fight>) -> Self {
        Self { rules: ground.rules, names: ground.names, sheets: ground.sheets, units, fight }
    }

    fn line(&self, side: Side) -> &[Fighter] {
        self.fight.map_or(&[], |fight| &fight.line()[side])
    }

    pub fn boxes(&self) -> Vec<BoxArea> {
        let mut boxes = Vec::new();
        for side in Side::BOTH {
            let mut area = |id: &str, title: &str, note: &str, weight| {
                let (title, note) = (title.to_owned(), note.to_owned());
                boxes.push(BoxArea { id: box_id(side, id), title, side: Some(side), note, weight });
            };
            let name = &self.names[side];
            let line = if matches!(self.fight, Some(Fight::Raid(raid)) if raid.raiders != side) {
                "in the base"
            } else {
                "Line of Battle"
            };
            area(BoxName::LineOfBattle.word(), &format!("{name}: {line}"), "", 6);
            let mut own = |name: BoxName, note: &str| area(name.word(), name.title(), note, 2);
            own(BoxName::DamagedReduced, "back to the line");
            own(BoxName::Disabled, "to the Delay Box");
            own(BoxName::DamagedAndDisabled, "to the Delay Box");
            own(BoxName::SunkDestroyed, "ships out of play");
            area("reserve", "Not in this battle", "", 2);
        }
        boxes
    }

    pub fn pieces(&self, side: Side, shown: impl Fn(usize) -> bool) -> Vec<Piece> {
        let line = self.line(side);
        let all = self.sheets[side].iter().enumerate().filter(|(at, _)| shown(*at));
        all.map(|(at, sheet)| {
            let now = self.units[side][at];
            let fighter = line.iter().find(|fighter| usize::from(fighter.unit) == at);
            let place = match (fighter, now.place) {
                (Some(fighter), _) => box_of(counter(self.sheets, side, fighter), fighter.taken).word(),
                (None, Place::NavalWarfareDelayBox) if now.damaged => BoxName::DamagedAndDisabled.word(),
                (None, Place::NavalWarfareDelayBox) => BoxName::Disabled.word(),
                (None, Place::DelayBox | Place::Removed) => BoxName::SunkDestroyed.word(),
                (None, Place::Ready | Place::Absent) => "reserve",
            };
            piece(side, sheet, now.damaged, fighter, At::Box(box_id(side, place)))
        })
        .collect()
    }

    pub fn arrows(&self) -> Vec<Arrow> {
        let Some((side, orders, _)) = self.fight.and_then(|fight| fight.attacks(self.rules)) else {
            return Vec::new();
        };
        let id = |side: Side, at: u8| {
            self.line(side).get(usize::from(at)).map(|fighter| counter(self.sheets, side, fighter).sheet.id.to_string())
        };
        let arrow = |order: &Order| {
            Some(Arrow {
                from: id(side, order.attacker)?,
                to: id(side.other(), order.target)?,
                label: order.factor.to_string(),
                side: Some(side),
            })
        };
        orders.iter().filter_map(arrow).collect()
    }
}

pub fn nothing() -> Scene {
    on_boxes(String::new(), Vec::new(), Vec::new(), Vec::new())
}

pub fn on_boxes(title: String, status: Vec<String>, boxes: Vec<BoxArea>, pieces: Vec<Piece>) -> Scene {
    Scene { title, status, surface: Surface::Boxes { boxes }, pieces, ..Scene::default() }
}

/// The light of a fight whose action has been settled.
pub fn light(fight: &Fight) -> Option<Light> {
    let Fight::Battle(battle) = fight else { return None };
    battle.action.map(|action| match action {
        Action::Day => Light::Day,
        Action::Night => Light::Night,
    })
}

pub fn scenario(game: &ScenarioGame, state: &ScenarioState) -> Scene {
    drawn(game, state, game.scenario.bands.par)
}

fn drawn(game: &ScenarioGame, state: &ScenarioState, par: i64) -> Scene {
    let board = Board::new(&game.ground(state), &state.units, state.fight.as_ref());
    let here = |side: Side| board.pieces(side, |at| state.units[side][at].place != Place::Absent);
    let pieces = here(Side::First).into_iter().chain(here(Side::Second)).collect();
    Scene {
        arrows: board.arrows(),
        light: state.fight.as_ref().and_then(light),
        ..on_boxes(headline(game, state), status(game, state, par), board.boxes(), pieces)
    }
}

pub fn custom(game: &CustomGame, state: &CustomState) -> Scene {
    if state.picked {
        return drawn(&game.battle, &state.battle, game.par(state));
    }
    let budget = game.settings.budget;
    let (mut boxes, mut pieces) = (Vec::new(), Vec::new());
    for side in Side::BOTH {
        let title = format!("{}: units to pick from", game.battle.names[side]);
        let note = format!("up to {budget} points");
        boxes.push(BoxArea { id: box_id(side, "pool"), title, side: Some(side), note, weight: 6 });
        for sheet in &game.battle.sheets[side] {
            let mut shown = piece(side, sheet, false, None, At::Box(box_id(side, "pool")));
            let cost = cost(&sheet.front);
            shown.badges.push(Badge::new("¤", cost, format!("costs {cost}")));
            shown.text += &format!(", costs {cost}");
            pieces.push(shown);
        }
    }
    let air = game.settings.air_budget();
    let status =
        vec![format!("Both sides pick in secret, up to {budget} points each; at most {air} of them for LBAs.")];
    on_boxes("Custom battle: picking forces".into(), status, boxes, pieces)
}

pub fn piece(side: Side, sheet: &Sheet, damaged: bool, fighter: Option<&Fighter>, place: At) -> Piece {
    let up = Counter { sheet, damaged };
    let factors = up.up();
    let mut badges = Vec::new();
    let mut badge = |label, value: u8, title| badges.push(Badge::new(label, value, format!("{title} Factor {value}")));
    for &factor in Factor::ALL.iter().filter(|&&factor| factors.of(factor) > 0) {
        badge(&factor.title()[..1], factors.of(factor), factor.title());
    }
    badge("D", factors.defense, "Defense");
    if let Some(factor) = up.damage_factor() {
        badge("M", factor, "Damage");
    }
    let mut states = Vec::new();
    let mut text = format!("{}, {}", sheet.name, sheet.kind);
    if damaged {
        states.push("damaged".to_owned());
        text += ", damaged";
    }
    for badge in &badges {
        text += &format!(", {}", badge.title);
    }
    if let Some(Fighter { taken, noted, .. }) = fighter {
        if taken.damage_points > 0 {
            let title = format!("{} Damage Points this round", taken.damage_points);
            text += &format!(", {title}");
            badges.push(Badge::new("✹", taken.damage_points, title));
        }
        if (taken.disabled || *noted) && sheet.kind.is_ship() {
            states.push("disabled".to_owned());
            text += ", a Disabled result";
        }
    }
    Piece {
        id: sheet.id.to_string(),
        name: sheet.name.to_string(),
        side: Some(side),
        kind: sheet.kind.to_string(),
        place,
        facing: None,
        size: Some([i64::from(sheet.front.defense), 0]),
        badges,
        states,
        text,
    }
}

fn headline(game: &ScenarioGame, state: &ScenarioState) -> String {
    let scenario = &game.scenario;
    let what = match &state.fight {
        Some(fight) => fight_title(fight),
        None if state.over => "the end".into(),
        None => "between stages".into(),
    };
    format!("{}, {}: {what}", scenario.title, scenario.date)
}

pub fn fight_title(fight: &Fight) -> String {
    match fight {
        Fight::Battle(battle) => {
            let action = battle.action.map_or(String::new(), |action| format!(", {} Action", action.title()));
            format!("Combat Round {}{action}", battle.round)
        }
        Fight::Raid(raid) => format!("Base Attack round {}", raid.round),
    }
}

pub fn fight_status(ground: &Ground<'_>, fight: &Fight) -> Vec<String> {
    let name = |side: Side| &ground.names[side];
    match fight {
        Fight::Battle(battle) => {
            let who = |role: Role| name(role.side(battle.phasing));
            let step = match battle.phase {
                Phase::Selection => "Step 1: day or night".to_owned(),
                Phase::Declaration(role) | Phase::Attacks(role) => format!("Attacks of {}", who(role)),
                Phase::Results => "Step 4: results take effect".to_owned(),
                Phase::Retreat(role) => format!("Step 5: {} to stay or retreat", who(role)),
                Phase::Resolution | Phase::Over => "Step 6: resolution".to_owned(),
            };
            let strength = |side| format!("{} {}", name(side), battle.strength(ground, Role::of(side, battle.phasing)));
            let strengths = Side::BOTH.map(strength).join(", ");
            vec![format!("{step}. Phasing faction: {}.", who(Role::Phasing)), format!("Strength: {strengths}.")]
        }
        Fight::Raid(raid) => {
            let step = match raid.phase {
                raid::Phase::Declaration(side) | raid::Phase::Attacks(side) => format!("{} attacks", name(side)),
                raid::Phase::Damage => "Damage takes effect".to_owned(),
                raid::Phase::Decision => format!("{} flies on or breaks off", name(raid.raiders)),
                raid::Phase::Conclusion | raid::Phase::Over => "Conclusion".to_owned(),
            };
            let Raid { max_rounds, surprise_rounds, .. } = raid;
            vec![format!("{step}. At most {max_rounds} rounds, {surprise_rounds} of them with surprise.")]
        }
    }
}

fn status(game: &ScenarioGame, state: &ScenarioState, par: i64) -> Vec<String> {
    let ground = game.ground(state);
    let mut lines = state.fight.as_ref().map_or_else(Vec::new, |fight| fight_status(&ground, fight));
    if matches!(state.fight, Some(Fight::Battle(_))) {
        lines.push(format!("Holding the hex is worth {} points.", ground.hold_vp));
    }
    lines.push(score(&game.names, |side| game.points(state, side), par));
    lines
}

pub fn score(names: &BySide<String>, points: impl Fn(Side) -> i64, par: i64) -> String {
    let both = Side::BOTH.map(|side| format!("{} {}", names[side], points(side)));
    format!("Points: {}; par {par:+}.", both.join(", "))
}
