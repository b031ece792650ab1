//! The map of a campaign: zones, ports, delay boxes, turn track; and the Battle Board while there is a fight.

use super::data::Zone;
use super::{CampaignGame, CampaignState, Station, Step, ZoneState};
use crate::battle::Place;
use crate::choices::points;
use crate::scene::{Board, box_id, fight_status, fight_title, light, on_boxes, piece};
use flagplot_kernel::Side;
use flagplot_kernel::scene::{BoxArea, Panel, Place as At, Scene};

pub fn draw(game: &CampaignGame, state: &CampaignState) -> Scene {
    let board = Board::new(&game.ground(state), &state.units, state.fight.as_ref());
    // In the line, or already in a box of the fight that is going on.
    let fights = |side: Side, at: usize| {
        let was_there = matches!(state.stations[side][at], Station::Port | Station::Zone(_) | Station::Raid);
        state.fight.as_ref().is_some_and(|fight| {
            fight.line()[side].iter().any(|fighter| usize::from(fighter.unit) == at)
                || (was_there && state.units[side][at].place != Place::Ready)
        })
    };
    let mut boxes = if state.fight.is_some() {
        board.boxes().into_iter().filter(|area| !area.id.ends_with("-reserve")).collect()
    } else {
        Vec::new()
    };
    boxes.extend(places(game, state));
    let mut pieces = Vec::new();
    for side in Side::BOTH {
        pieces.extend(board.pieces(side, |at| fights(side, at)));
        for at in (0..game.sheets[side].len()).filter(|&at| !fights(side, at)) {
            let place = match state.stations[side][at] {
                Station::Arriving(turn) | Station::TurnTrack(turn) => format!("turn-{turn}"),
                Station::Port => box_id(side, "port"),
                Station::Raid => box_id(side, "raid"),
                Station::Zone(zone) => game.campaign.zones[usize::from(zone)].id.to_string(),
                Station::NavalWarfareDelayBox(_) => box_id(side, "naval-warfare-delay-box"),
                Station::DelayBox => box_id(side, "delay-box"),
                Station::Delivered | Station::Removed => box_id(side, "gone"),
            };
            let mut shown = piece(side, &game.sheets[side][at], state.units[side][at].damaged, None, At::Box(place));
            match state.stations[side][at] {
                Station::Arriving(turn) => shown.text += &format!(", arrives in turn {turn}"),
                Station::TurnTrack(turn) => shown.text += &format!(", comes back in turn {turn}"),
                Station::NavalWarfareDelayBox(Some(choice)) => shown.text += &format!(", {}", choice.title()),
                Station::Delivered => shown.text += ", delivered",
                Station::Removed => shown.text += ", out of play",
                _ => {}
            }
            pieces.push(shown);
        }
    }
    Scene {
        arrows: board.arrows(),
        light: state.fight.as_ref().and_then(light),
        panels: vec![zones(game, state), score(game, state)],
        ..on_boxes(headline(game, state), status(game, state), boxes, pieces)
    }
}

fn places(game: &CampaignGame, state: &CampaignState) -> Vec<BoxArea> {
    let ports = |side: Side| {
        let faction = &game.campaign.factions[side];
        let approach = &game.campaign.zones[faction.port_approach].name;
        let (drm, repair) = (faction.delay_drm, game.rules.delay.repair_drm);
        let area = |id: &str, title: &str, note: String, weight| BoxArea {
            id: box_id(side, id),
            title: title.into(),
            side: Some(side),
            note,
            weight,
        };
        let port = format!("{}: {}", game.names[side], faction.port);
        [
            area("port", &port, format!("raided through {approach}"), 6),
            area("raid", "Raid", String::new(), 2),
            area("naval-warfare-delay-box", "Naval Warfare Delay Box", format!("a die {drm:+}, repair {repair:+}"), 2),
            area("delay-box", "Delay Box", format!("a die {drm:+}"), 1),
            area("gone", "Out of play", String::new(), 1),
        ]
    };
    let zones = game.campaign.zones.iter().zip(&state.zones).map(|(zone, now)| {
        let points = Side::BOTH.map(|side| format!("{} {}", game.names[side], points(zone.vp[side]))).join(", ");
        let note = format!("{}; {points}; {}", control(game, now), waters(zone));
        BoxArea { id: zone.id.to_string(), title: zone.name.clone(), side: now.control, note, weight: 4 }
    });
    let turns = game.campaign.turns.iter().zip(1..).map(|(called, turn)| {
        let now = if turn == state.turn { "now; " } else { "" };
        let note = format!("{now}initiative {}", game.names[game.campaign.initiative[usize::from(turn - 1)]]);
        BoxArea { id: format!("turn-{turn}"), title: format!("{turn}: {called}"), side: None, note, weight: 2 }
    });
    ports(Side::First).into_iter().chain(zones).chain(ports(Side::Second)).chain(turns).collect()
}

fn waters(zone: &Zone) -> &'static str {
    if zone.all_sea { "All-Sea" } else { "coastal" }
}

fn control(game: &CampaignGame, now: &ZoneState) -> String {
    match (now.control, now.contested) {
        (Some(side), false) => format!("controlled by {}", game.names[side]),
        (Some(side), true) => format!("controlled by {}, contested", game.names[side]),
        (None, true) => "contested".into(),
        (None, false) => "not controlled".into(),
    }
}

/// The zones as a table: empty ones too, which a board of boxes may leave out.
fn zones(game: &CampaignGame, state: &CampaignState) -> Panel {
    let base = |hexes: Option<u8>| hexes.map_or("no Air Base".to_owned(), |hexes| format!("Air Base at {hexes}"));
    let (first, second) = (&game.names.first, &game.names.second);
    let mut rows = vec![["Zone", "", "waters", first, "", second, ""].map(str::to_owned).to_vec()];
    for (zone, now) in game.campaign.zones.iter().zip(&state.zones) {
        let side = |side: Side| [points(zone.vp[side]), base(zone.air_base[side])];
        let mut row = vec![format!("{} ({})", zone.name, zone.id), control(game, now), waters(zone).into()];
        row.extend(Side::BOTH.map(side).into_iter().flatten());
        rows.push(row);
    }
    Panel { title: "Zones".into(), side: None, rows, header: true }
}

fn headline(game: &CampaignGame, state: &CampaignState) -> String {
    let campaign = &game.campaign;
    let called = &campaign.turns[usize::from(state.turn - 1)];
    let what = match (&state.fight, state.step) {
        (Some(fight), Step::Battles(zone)) => {
            format!("{}: {}", campaign.zones[usize::from(zone)].name, fight_title(fight))
        }
        (Some(fight), _) => fight_title(fight),
        (None, _) if state.over => "the end".into(),
        (None, Step::Arrivals) => "arrivals".into(),
        (None, Step::Refit(_)) => "refit".into(),
        (None, Step::Orders) => "orders".into(),
        (None, Step::Raids(_)) => "raids".into(),
        (None, Step::Battles(_)) => "battles".into(),
        (None, Step::Points) => "points".into(),
        (None, Step::Repairs(_) | Step::Delay(_)) => "delay".into(),
        (None, Step::Recovery) => "recovery".into(),
    };
    format!("{}, turn {} ({called}): {what}", campaign.title, state.turn)
}

fn status(game: &CampaignGame, state: &CampaignState) -> Vec<String> {
    let ground = game.ground(state);
    let mut lines = state.fight.as_ref().map_or_else(Vec::new, |fight| fight_status(&ground, fight));
    lines.push(format!("{} has the initiative.", game.names[game.initiative(state)]));
    lines.push(crate::scene::score(&game.names, |side| state.score[side].sum(), game.campaign.bands.par));
    lines
}

fn score(game: &CampaignGame, state: &CampaignState) -> Panel {
    let row = |side: Side| {
        let score = state.score[side];
        let numbers = [score.losses, score.zones, score.convoys, score.sum()].map(|points| points.to_string());
        std::iter::once(game.names[side].clone()).chain(numbers).collect()
    };
    let header = ["", "losses", "zones", "convoys", "all"].map(str::to_owned).to_vec();
    Panel { title: "Points".into(), side: None, rows: vec![header, row(Side::First), row(Side::Second)], header: true }
}
