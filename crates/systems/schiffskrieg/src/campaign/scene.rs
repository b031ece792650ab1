//! The map of a campaign: zones, ports, delay boxes, turn track; and the Battle Board while there is a fight.

use super::{CampaignGame, CampaignState, Station, Step, ZoneState};
use crate::battle::Place;
use crate::scene::{Board, box_id, fight_status, fight_title, on_boxes, piece};
use flagplot_kernel::Side;
use flagplot_kernel::scene::{BoxArea, Panel, Place as At, Scene};

pub(crate) fn draw(game: &CampaignGame, state: &CampaignState) -> Scene {
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
        panels: vec![zones(game, state), score(game, state)],
        ..on_boxes(headline(game, state), status(game, state), boxes, pieces)
    }
}

fn places(game: &CampaignGame, state: &CampaignState) -> Vec<BoxArea> {
    let area = |id: String, title: String, side: Option<Side>, note: String, weight: u32| BoxArea {
        id,
        title,
        side,
        note,
        weight,
    };
    let mut boxes = Vec::new();
    let ports = |side: Side| {
        let faction = &game.campaign.factions[side];
        let approach = &game.campaign.zones[faction.port_approach].name;
        let name = &game.names[side];
        [
            area(
                box_id(side, "port"),
                format!("{name}: {}", faction.port),
                Some(side),
                format!("raided through {approach}"),
                6,
            ),
            area(box_id(side, "raid"), "Raid".into(), Some(side), String::new(), 2),
            area(
                box_id(side, "naval-warfare-delay-box"),
                "Naval Warfare Delay Box".into(),
                Some(side),
                format!("a die {:+}, repair {:+}", faction.delay_drm, game.rules.delay.repair_drm),
                2,
            ),
            area(
                box_id(side, "delay-box"),
                "Delay Box".into(),
                Some(side),
                format!("a die {:+}", faction.delay_drm),
                1,
            ),
            area(box_id(side, "gone"), "Out of play".into(), Some(side), String::new(), 1),
        ]
    };
    boxes.extend(ports(Side::First));
    for (zone, now) in game.campaign.zones.iter().zip(&state.zones) {
        let waters = if zone.all_sea { "All-Sea" } else { "coastal" };
        let (first, second) = (&game.names.first, &game.names.second);
        let note =
            format!("{}; {first} {} points, {second} {}; {waters}", control(game, now), zone.vp.first, zone.vp.second);
        boxes.push(area(zone.id.to_string(), zone.name.clone(), now.control, note, 4));
    }
    boxes.extend(ports(Side::Second));
    for (at, called) in game.campaign.turns.iter().enumerate() {
        let turn = at as u8 + 1;
        let now = if turn == state.turn { "now; " } else { "" };
        boxes.push(area(
            format!("turn-{turn}"),
            format!("{turn}: {called}"),
            None,
            format!("{now}initiative {}", game.names[game.campaign.initiative[at]]),
            2,
        ));
    }
    boxes
}

/// Who controls a zone, in words.
fn control(game: &CampaignGame, now: &ZoneState) -> String {
    match (now.control, now.contested) {
        (Some(side), false) => format!("controlled by {}", game.names[side]),
        (Some(side), true) => format!("controlled by {}, contested", game.names[side]),
        (None, true) => "contested".into(),
        (None, false) => "nobody's".into(),
    }
}

/// The zones as a table: empty ones too, which a board of boxes may leave out.
fn zones(game: &CampaignGame, state: &CampaignState) -> Panel {
    let base = |hexes: Option<u8>| hexes.map_or("no Air Base".to_owned(), |hexes| format!("Air Base at {hexes}"));
    let (first, second) = (&game.names.first, &game.names.second);
    let mut rows = vec![["Zone", "", "waters", first, "", second, ""].map(str::to_owned).to_vec()];
    for (zone, now) in game.campaign.zones.iter().zip(&state.zones) {
        let waters = if zone.all_sea { "All-Sea" } else { "coastal" };
        let points = |side: Side| format!("{} points", zone.vp[side]);
        let name = format!("{} ({})", zone.name, zone.id);
        rows.push(vec![
            name,
            control(game, now),
            waters.into(),
            points(Side::First),
            base(zone.air_base.first),
            points(Side::Second),
            base(zone.air_base.second),
        ]);
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
    let sum = state.score.map(super::Score::sum);
    lines.push(format!("{} has the initiative.", game.names[game.initiative(state)]));
    lines.push(format!(
        "Points: {} {}, {} {}; par {:+}.",
        game.names.first, sum.first, game.names.second, sum.second, game.campaign.bands.par
    ));
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
