//! The board of an air battle: the bases of both sides, the targets between them, both plans beside each other.

use super::day::factors;
use super::state::{AirState, Phase, Role};
use super::{AirGame, RESERVE, key};
use crate::air::AirType;
use crate::game::victory::SIDES;
use crate::scenarios::Mission;
use flagplot_kernel::Side;
use flagplot_kernel::scene::{Badge, BoxArea, Panel, Piece, Place, Scene, Surface};

/// The box of a side's bases.
fn base(side: Side) -> &'static str {
    match side {
        Side::First => "axis-bases",
        Side::Second => "allied-bases",
    }
}

impl AirGame {
    /// The pieces over a target, by their ids.
    pub(super) fn pieces_of(&self, state: &AirState, role: Role, target: u8) -> Vec<String> {
        let place = &self.target(target).id;
        (0..self.groups[role].len())
            .filter(|&at| self.over(state, role, at, target) > 0)
            .map(|at| key(&self.groups[role][at].id, place))
            .collect()
    }

    pub(super) fn draw(&self, state: &AirState) -> Scene {
        let mut status = self.limits.status(self.points(state));
        status.insert(0, self.phase_words(state));
        Scene {
            title: format!("{}: day {} of {}", self.scenario.name, state.day, self.scenario.days),
            status,
            surface: Surface::Boxes { boxes: self.boxes(state) },
            pieces: Role::BOTH.into_iter().flat_map(|role| self.pieces(state, role)).collect(),
            panels: self.panels(state),
            ..Scene::default()
        }
    }

    fn phase_words(&self, state: &AirState) -> String {
        let at = |target: u8| &self.target(target).name;
        match state.phase {
            Phase::Dawn => "Dawn: replacements arrive.".to_owned(),
            Phase::Plans => "Both sides plan the day in secret.".to_owned(),
            Phase::Reserve => format!("The plans are open; the {} commit the reserve.", self.whose(Role::Defender)),
            Phase::Fight { target, round } => {
                format!("{}: round {round} of {}.", at(target), self.scenario.rounds)
            }
            Phase::Losses { target, .. } => format!("{}: losses are shared out.", at(target)),
            Phase::Stay { target, role, .. } => format!("{}: the {} stay or withdraw.", at(target), self.whose(role)),
            Phase::Guns { target } => format!("{}: the guns fire, then the bombs fall.", at(target)),
            Phase::Over => "The battle is over.".to_owned(),
        }
    }

    fn boxes(&self, state: &AirState) -> Vec<BoxArea> {
        let home = |side: Side| {
            let wing = &state.wings[self.role(side)];
            BoxArea {
                id: base(side).to_owned(),
                title: format!("{}: bases", SIDES[side]),
                side: Some(side),
                note: format!("{} ready in all", factors(wing.strength())),
                weight: 2,
            }
        };
        let targets = self.targets().iter().map(|target| BoxArea {
            id: target.id.clone(),
            title: target.name.clone(),
            side: None,
            note: format!(
                "{} for each of up to {} bombing; at most {} attack",
                points(target.value),
                factors(target.capacity),
                target.most_attackers
            ),
            weight: 2,
        });
        std::iter::once(home(Side::First)).chain(targets).chain([home(Side::Second)]).collect()
    }

    fn pieces(&self, state: &AirState, role: Role) -> Vec<Piece> {
        let (side, wing, slots) = (self.side(role), &state.wings[role], self.slots(role));
        let mut pieces = Vec::new();
        for (at, group) in self.groups[role].iter().enumerate() {
            let kind = if group.unit.kind == AirType::StrategicBomber { "bomber" } else { "squadron" };
            let mut put = |id: String, number: u32, place: String, how: &str, state: Option<&str>| {
                let drm = group.unit.drm::<i32>(&self.rules.nations);
                let nation = group.unit.nation.name();
                pieces.push(Piece {
                    id,
                    name: group.name.clone(),
                    side: Some(side),
                    kind: kind.to_owned(),
                    place: Place::Box(place),
                    facing: None,
                    size: None,
                    badges: vec![
                        Badge::new("", number, factors(number)),
                        Badge::new("DRM", format!("{drm:+}"), format!("air nationality modifier {drm:+}")),
                    ],
                    states: state.map(str::to_owned).into_iter().collect(),
                    text: format!("{} ({nation}), {}, {how}", group.name, factors(number)),
                });
            };
            let mut away = 0;
            for (target, place) in self.targets().iter().enumerate() {
                let number = u32::from(self.over(state, role, at, target as u8));
                if number > 0 {
                    away += number;
                    put(key(&group.id, &place.id), number, place.id.clone(), &format!("over {}", place.name), None);
                }
            }
            let reserve = match (role, state.phase) {
                (Role::Defender, Phase::Reserve) => wing.plan.get(at * slots + slots - 1).map_or(0, |&n| u32::from(n)),
                _ => 0,
            };
            if reserve > 0 {
                away += reserve;
                put(key(&group.id, RESERVE), reserve, base(side).to_owned(), "in reserve", None);
            }
            let home = u32::from(wing.ready[at]) - away;
            if home > 0 || away == 0 {
                let flown = (!matches!(state.phase, Phase::Dawn | Phase::Plans | Phase::Over)).then_some("acted");
                put(group.id.clone(), home, base(side).to_owned(), "at its bases", flown);
            }
        }
        pieces
    }

    fn panels(&self, state: &AirState) -> Vec<Panel> {
        let mut panels = Vec::new();
        if !state.wings.attacker.plan.is_empty() {
            panels.push(self.plan_panel(state));
        }
        panels.push(self.force_panel(state));
        panels.push(self.score_panel(state));
        panels
    }

    /// Both plans of the day side by side, and what has come of them.
    fn plan_panel(&self, state: &AirState) -> Panel {
        let sent = |role: Role, slot: usize| {
            let slots = self.slots(role);
            let groups = self.groups[role].iter().zip(state.wings[role].plan.iter().skip(slot).step_by(slots));
            let parts: Vec<String> = groups
                .filter(|(_, number)| **number > 0)
                .map(|(group, number)| format!("{} {number}", group.name))
                .collect();
            if parts.is_empty() { "–".to_owned() } else { parts.join(", ") }
        };
        let mut rows = vec![
            [
                "Target".to_owned(),
                self.whose(Role::Attacker).to_owned(),
                self.whose(Role::Defender).to_owned(),
                "Today".to_owned(),
            ]
            .to_vec(),
        ];
        for (at, target) in self.targets().iter().enumerate() {
            let mut defense = sent(Role::Defender, at);
            if state.reserve_to == Some(at as u8) {
                defense += " + reserve";
            }
            rows.push(vec![target.name.clone(), sent(Role::Attacker, at), defense, self.raid_words(state, at)]);
        }
        if self.in_reserve(state) > 0 {
            let place = state.reserve_to.map_or_else(String::new, |target| format!("to {}", self.target(target).name));
            rows.push(vec!["Reserve".to_owned(), String::new(), sent(Role::Defender, self.targets().len()), place]);
        }
        Panel { title: format!("Plans of day {}", state.day), side: None, rows, header: true }
    }

    /// What has happened at a target today.
    fn raid_words(&self, state: &AirState, target: usize) -> String {
        let raid = &state.raids[target];
        let mut parts = Vec::new();
        for role in Role::BOTH {
            let lost = raid.lost[role];
            if !lost.is_nothing() {
                let whose = self.whose(role);
                parts.push(format!("{whose}: {} eliminated, {} aborted", lost.eliminated, lost.aborted));
            }
        }
        if let Some(role) = raid.withdrew {
            parts.push(format!("the {} withdrew", self.whose(role)));
        }
        if let Some(bombed) = raid.bombed {
            parts.push(format!("bombs: {}", points(self.targets()[target].bombs(bombed.into()))));
        }
        parts.join("; ")
    }

    fn force_panel(&self, state: &AirState) -> Panel {
        let mut rows = vec![["Group", "Side", "Ready", "Eliminated"].map(str::to_owned).to_vec()];
        for role in Role::BOTH {
            let wing = &state.wings[role];
            for (at, group) in self.groups[role].iter().enumerate() {
                let (ready, gone) = (wing.ready[at].to_string(), wing.eliminated[at].to_string());
                rows.push(vec![group.name.clone(), self.whose(role).to_owned(), ready, gone]);
            }
        }
        Panel { title: "Air forces".to_owned(), side: None, rows, header: true }
    }

    fn score_panel(&self, state: &AirState) -> Panel {
        let victory = &self.scenario.victory;
        let (attacker, defender) = (self.whose(Role::Attacker), self.whose(Role::Defender));
        let [own, enemy] = Role::BOTH.map(|role| state.wings[role].lost());
        let rows = [
            (format!("Bombs of the {attacker}"), state.bombing),
            (format!("Air factors the {defender} lost"), enemy * victory.attacker_per_enemy_factor_eliminated),
            (format!("Air factors the {attacker} lost"), -own * victory.defender_per_enemy_factor_eliminated),
            ("Score".to_owned(), self.score(state)),
        ];
        let mut rows: Vec<Vec<String>> =
            rows.into_iter().map(|(what, points)| vec![what, points.to_string()]).collect();
        if self.scenario.mission == Mission::StrategicBombing && self.scenario.radar_results > 0 {
            let radar = format!("{:+} in air combat", self.scenario.radar_results);
            rows.push(vec![format!("Radar of the {defender}"), radar]);
        }
        Panel { title: "Score".into(), side: None, rows, header: false }
    }
}

pub(super) fn points(number: i64) -> String {
    format!("{number} {}", if number == 1 { "point" } else { "points" })
}
