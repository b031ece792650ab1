//! The Battle Board: the line and the boxes of both sides.

use crate::battle::{Fighter, Phase, Place, counter};
use crate::game::{Fight, Schiffskrieg, State};
use crate::raid;
use crate::results::{BoxName, box_of};
use crate::unit::{Counter, Sheet};
use flagplot_kernel::Side;
use flagplot_kernel::scene::{Badge, BoxArea, Piece, Place as At, Scene, Surface};

/// The id of a side's box.
fn box_id(side: Side, name: &str) -> String {
    format!("{}-{name}", if side == Side::First { "first" } else { "second" })
}

pub(crate) fn draw(game: &Schiffskrieg, state: &State) -> Scene {
    let mut boxes = Vec::new();
    for side in Side::BOTH {
        let mut area = |id: &str, title: &str, note: &str, weight| {
            boxes.push(BoxArea { id: box_id(side, id), title: title.to_owned(), side: Some(side), note: note.to_owned(), weight });
        };
        let name = &game.names[side];
        let line = if matches!(&state.fight, Some(Fight::Raid(raid)) if raid.raiders != side) { "in the base" } else { "Line of Battle" };
        area(BoxName::WORDS[0], &format!("{name}: {line}"), "", 6);
        area(BoxName::WORDS[1], BoxName::DamagedReduced.title(), "flips, then back to the line", 2);
        area(BoxName::WORDS[2], BoxName::Disabled.title(), "to the Naval Warfare Delay Box", 2);
        area(BoxName::WORDS[3], BoxName::DamagedAndDisabled.title(), "to the Naval Warfare Delay Box, damaged", 2);
        area(BoxName::WORDS[4], BoxName::SunkDestroyed.title(), "ships leave play; LBAs to the Delay Box", 2);
        area("reserve", "Not in this battle", "", 2);
    }
    let mut pieces = Vec::new();
    for side in Side::BOTH {
        let line: &[Fighter] = match &state.fight {
            Some(Fight::Battle(battle)) => &battle.line[side],
            Some(Fight::Raid(raid)) => &raid.line[side],
            None => &[],
        };
        for (at, sheet) in game.sheets[side].iter().enumerate() {
            let now = state.units[side][at];
            let fighter = line.iter().find(|fighter| usize::from(fighter.unit) == at);
            let place = match (fighter, now.place) {
                (Some(fighter), _) => BoxName::WORDS[box_of(counter(&game.sheets, side, fighter), fighter.taken) as usize],
                (None, Place::NavalWarfareDelayBox) if now.damaged => BoxName::WORDS[BoxName::DamagedAndDisabled as usize],
                (None, Place::NavalWarfareDelayBox) => BoxName::WORDS[BoxName::Disabled as usize],
                (None, Place::DelayBox | Place::Removed) => BoxName::WORDS[BoxName::SunkDestroyed as usize],
                (None, Place::Ready) => "reserve",
            };
            pieces.push(piece(side, sheet, now.damaged, fighter, place));
        }
    }
    Scene {
        title: headline(game, state),
        status: status(game, state),
        surface: Surface::Boxes { boxes },
        pieces,
        rings: Vec::new(),
        tracks: Vec::new(),
        arrows: Vec::new(),
        panels: Vec::new(),
    }
}

fn piece(side: Side, sheet: &Sheet, damaged: bool, fighter: Option<&Fighter>, place: &str) -> Piece {
    let up = Counter { sheet, damaged };
    let factors = up.up();
    let mut badges = Vec::new();
    for (label, value, title) in [("G", factors.gunnery, "Gunnery"), ("T", factors.torpedo, "Torpedo"), ("A", factors.airstrike, "Airstrike")] {
        if value > 0 {
            badges.push(Badge::new(label, value, format!("{title} Factor {value}")));
        }
    }
    badges.push(Badge::new("D", factors.defense, format!("Defense Factor {}", factors.defense)));
    if let Some(factor) = up.damage_factor() {
        badges.push(Badge::new("M", factor, format!("Damage Factor {factor}")));
    }
    let mut states = Vec::new();
    let mut text = format!("{}, {}", sheet.name, sheet.kind.word());
    if damaged {
        states.push("damaged".to_owned());
        text += ", damaged";
    }
    for badge in &badges {
        text += &format!(", {}", badge.title);
    }
    if let Some(fighter) = fighter {
        if fighter.taken.damage_points > 0 {
            badges.push(Badge::new("✹", fighter.taken.damage_points, format!("{} Damage Points this round", fighter.taken.damage_points)));
            text += &format!(", {} Damage Points this round", fighter.taken.damage_points);
        }
        if (fighter.taken.disabled || fighter.noted) && sheet.kind.is_ship() {
            states.push("disabled".to_owned());
            text += ", a Disabled result";
        }
    }
    Piece {
        id: sheet.id.to_string(),
        name: sheet.name.to_string(),
        side: Some(side),
        kind: sheet.kind.word().to_owned(),
        place: At::Box(box_id(side, place)),
        facing: None,
        size: Some([i64::from(sheet.front.defense), 0]),
        badges,
        states,
        text,
    }
}

fn headline(game: &Schiffskrieg, state: &State) -> String {
    let scenario = &game.scenario;
    let what = match &state.fight {
        Some(Fight::Battle(battle)) => {
            let action = battle.action.map_or(String::new(), |action| format!(", {action} Action"));
            format!("Combat Round {}{action}", battle.round)
        }
        Some(Fight::Raid(raid)) => format!("Base Attack round {}", raid.round),
        None if state.over => "the end".into(),
        None => "between stages".into(),
    };
    format!("{}, {}: {what}", scenario.title, scenario.date)
}

fn status(game: &Schiffskrieg, state: &State) -> Vec<String> {
    let mut lines = Vec::new();
    let name = |side: Side| &game.names[side];
    match &state.fight {
        Some(Fight::Battle(battle)) => {
            let ground = game.ground(state);
            let step = match battle.phase {
                Phase::Selection => "Step 1: day or night".to_owned(),
                Phase::Declaration(role) | Phase::Attacks(role) => format!("{} attacks", name(role.side(battle.phasing))),
                Phase::Results => "Step 4: results take effect".to_owned(),
                Phase::Retreat(role) => format!("Step 5: {} stays or retreats", name(role.side(battle.phasing))),
                Phase::Resolution | Phase::Over => "Step 6: resolution".to_owned(),
            };
            lines.push(format!("{step}. {} is the phasing faction.", name(battle.phasing)));
            let strength = |side: Side| battle.strength(&ground, crate::faction::Role::of(side, battle.phasing));
            lines.push(format!(
                "Strength: {} {}, {} {}; holding the hex is worth {}.",
                name(Side::First),
                strength(Side::First),
                name(Side::Second),
                strength(Side::Second),
                ground.hold_vp
            ));
        }
        Some(Fight::Raid(raid)) => {
            let step = match raid.phase {
                raid::Phase::Declaration(side) | raid::Phase::Attacks(side) => format!("{} attacks", name(side)),
                raid::Phase::Damage => "Damage takes effect".to_owned(),
                raid::Phase::Decision => format!("{} flies on or breaks off", name(raid.raiders)),
                raid::Phase::Conclusion | raid::Phase::Over => "Conclusion".to_owned(),
            };
            lines.push(format!("{step}. At most {} rounds, {} of them surprised.", raid.max_rounds, raid.surprise_rounds));
        }
        None => {}
    }
    lines.push(format!(
        "Points: {} {}, {} {}; par {:+}.",
        name(Side::First),
        game.points(state, Side::First),
        name(Side::Second),
        game.points(state, Side::Second),
        game.scenario.par
    ));
    lines
}
