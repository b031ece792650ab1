//! The board: land, counters, the air forces and the score. [16.1]

use super::GroundGame;
use super::attacks::adjective;
use super::map::{HexAt, UnitAt};
use super::state::{Combat, FightStage, GroundState, Phase, StruggleStage};
use crate::game::victory::SIDES;
use crate::land_data::Terrain as Ground;
use crate::messages::counted;
use crate::scenarios::TurnOption;
use flagplot_kernel::scene::{
    Arrow, Badge, Control, HexEdge, HexMark, Land, Panel, Piece, Place, Ring, Scene, Surface, Terrain, Track,
};
use flagplot_kernel::{Side, hex::Hex};

/// Corner to corner and side to side of a hex, in the scene's unit.
const WIDTH: i64 = 1200;
const HEIGHT: i64 = 1040;

fn terrain_name(terrain: Ground) -> &'static str {
    match terrain {
        Ground::Clear => "clear",
        Ground::Forest => "forest",
        Ground::Mountain => "mountain",
        Ground::Swamp => "swamp",
        Ground::Jungle => "jungle",
        Ground::City => "city",
        Ground::ObjectiveCity => "objective city",
        Ground::Sea => "sea",
    }
}

impl GroundGame {
    fn hex(&self, hex: HexAt) -> Hex {
        self.map.id(hex).hex()
    }

    pub(super) fn board(&self, state: &GroundState) -> Scene {
        let pieces = (0..self.units.len() as UnitAt).filter_map(|unit| self.counter(state, unit)).collect();
        Scene {
            title: format!("{}: turn {} of {}", self.scenario.name, state.turn, self.scenario.turns),
            status: self.status(state),
            surface: self.surface(state),
            pieces,
            rings: self.zones_shown(state),
            tracks: self.supply_lines(state),
            arrows: self.arrows(state),
            panels: self.panels(state),
            ..Scene::default()
        }
    }

    /// The hexes in each unit's zone of control, for the unit that is looked at. [C-7]
    fn zones_shown(&self, state: &GroundState) -> Vec<Ring> {
        let mut rings = Vec::new();
        for side in Side::BOTH {
            for (unit, _, hex) in self.army(state, side).filter(|(unit, ..)| self.info(*unit).zone) {
                let info = self.info(unit);
                for (at, hex) in self.map.zone[usize::from(hex)].iter().enumerate() {
                    // One of the hexes says it for all of them.
                    let label = if at == 0 { format!("{}: zone of control", info.name) } else { String::new() };
                    let (at, radius) = (self.hex(hex).centre(WIDTH, HEIGHT), HEIGHT * 2 / 5);
                    rings.push(Ring { at, radius, label, side: Some(side), piece: Some(info.id.clone()) });
                }
            }
        }
        rings
    }

    /// Each unit's way to a supply hex, for the unit that is looked at. [C-9]
    fn supply_lines(&self, state: &GroundState) -> Vec<Track> {
        let mut tracks = Vec::new();
        for side in Side::BOTH {
            for (unit, _, hex) in self.army(state, side) {
                let info = self.info(unit);
                if let Some(line) = self.supply_line(state, side, hex).filter(|line| line.len() > 1) {
                    let to = line.last().map_or_else(String::new, |hex| self.map.name(*hex));
                    let steps = counted(line.len() as u32 - 1, "hex");
                    tracks.push(Track {
                        points: line.iter().map(|hex| self.hex(*hex).centre(WIDTH, HEIGHT)).collect(),
                        label: format!("{}: supply line to {to}, {steps}", info.name),
                        side: Some(side),
                        piece: Some(info.id.clone()),
                        ..Track::default()
                    });
                }
            }
        }
        tracks
    }

    fn surface(&self, state: &GroundState) -> Surface {
        let rows = self.map.rows;
        let columns = self.map.ids.iter().filter(|id| id.row == 1).map(|id| {
            let top = id.hex();
            [top.q, top.r, top.r + rows - 1]
        });
        let labels = self.map.ids.iter().map(|id| (id.hex().q, id.hex().r, id.to_string()));
        let land = Some(Box::new(self.land(state)));
        Surface::Hexes { width: WIDTH, height: HEIGHT, columns: columns.collect(), labels: labels.collect(), land }
    }

    fn land(&self, state: &GroundState) -> Land {
        let hexes = 0..self.map.len();
        let terrain = Ground::ALL.iter().filter_map(|kind| {
            let places: Vec<Hex> = hexes
                .clone()
                .filter(|hex| self.map.terrain[usize::from(*hex)] == *kind)
                .map(|hex| self.hex(hex))
                .collect();
            let letter = self.rules.terrain.terrain.iter().find(|line| line.id == *kind).map_or('.', |line| line.code);
            let (id, name) = (kind.word().to_owned(), terrain_name(*kind).to_owned());
            (!places.is_empty()).then_some(Terrain { id, name, letter, hexes: places })
        });
        let edge = |[one, other]: &[crate::scenarios::HexId; 2], kind: &str| HexEdge {
            between: [one.hex(), other.hex()],
            kind: kind.into(),
        };
        let rivers = self.scenario.rivers.iter().map(|pair| edge(pair, "river"));
        let walls = self.scenario.impassable.iter().map(|pair| edge(pair, "impassable"));
        let control = Side::BOTH.map(|side| Control {
            side,
            name: SIDES[side].into(),
            hexes: hexes
                .clone()
                .filter(|hex| self.map.terrain[usize::from(*hex)] != Ground::Sea && state.controls(side, *hex))
                .map(|hex| self.hex(hex))
                .collect(),
        });
        let names = hexes.clone().filter_map(|hex| Some((self.hex(hex), self.map.names[usize::from(hex)].clone()?)));
        Land {
            terrain: terrain.collect(),
            edges: rivers.chain(walls).collect(),
            control: control.into(),
            names: names.collect(),
            marks: self.marks(state),
        }
    }

    fn marks(&self, state: &GroundState) -> Vec<HexMark> {
        let mut marks = Vec::new();
        let mut add = |hex: HexAt, kind: &str, value: Option<i64>, side: Option<Side>, text: String| {
            marks.push(HexMark { hex: self.hex(hex), kind: kind.into(), value, side, text });
        };
        for hex in 0..self.map.len() {
            match self.map.fortification[usize::from(hex)] {
                0 => {}
                1 => add(hex, "fortification", Some(1), None, "fortification".into()),
                level => add(hex, "fortification", Some(i64::from(level)), None, "fortress".into()),
            }
        }
        for (hex, value) in &self.map.objectives {
            let points = counted(*value as u32, "point");
            add(*hex, "objective", Some(*value), None, format!("objective worth {points}"));
        }
        for side in Side::BOTH {
            for hex in self.map.supply[side].iter() {
                add(hex, "supply", None, Some(side), format!("{} supply", adjective(side)));
            }
        }
        let fighting = match state.phase {
            Phase::Fight(fight) => Some(fight.attack.target),
            _ => None,
        };
        for hex in state.attacks.iter().map(|attack| attack.target).chain(fighting) {
            add(hex, "battle", None, Some(state.active), "under attack".into());
        }
        for hex in state.breakthroughs.iter() {
            add(hex, "breakthrough", None, Some(state.active), "breakthrough".into());
        }
        marks
    }

    fn counter(&self, state: &GroundState, unit: UnitAt) -> Option<Piece> {
        let (info, now) = (self.info(unit), state.unit(unit));
        let hex = now.hex?;
        let mut states = Vec::new();
        let mut told = Vec::new();
        if !now.isolated() && self.supply_line(state, info.side, hex).is_none() {
            told.push("out of supply".to_owned());
        }
        let mut add = |holds: bool, word: &str, words: &str| {
            if holds {
                states.push(word.to_owned());
                told.push(words.to_owned());
            }
        };
        add(now.isolated(), "isolated", "isolated");
        let moving = matches!(state.phase, Phase::Movement | Phase::Exploit) && info.side == state.active;
        add(now.attacked, "spent", "has attacked");
        add(moving && !now.attacked && self.points_left(state, unit) == 0, "spent", "has no movement points left");
        add(now.exploiting, "exploiting", "exploiting");
        let told = if told.is_empty() { String::new() } else { format!("; {}", told.join(", ")) };
        let factors = counted(u32::from(info.factors), "factor");
        let text = format!(
            "{}, {}, {factors}, movement {}, in {}{told}",
            info.name,
            info.title(),
            info.movement,
            self.map.name(hex)
        );
        Some(Piece {
            id: info.id.clone(),
            name: info.name.clone(),
            side: Some(info.side),
            kind: info.kind.word().into(),
            place: Place::Hex(self.hex(hex)),
            facing: None,
            size: None,
            badges: vec![
                Badge::new("F", info.factors, "combat factors"),
                Badge::new("M", info.movement, "movement points"),
            ],
            states,
            text,
        })
    }

    fn arrows(&self, state: &GroundState) -> Vec<Arrow> {
        let fight = match state.phase {
            Phase::Fight(fight) => Some(fight.attack),
            _ => None,
        };
        let mut arrows = Vec::new();
        for attack in state.attacks.iter().copied().chain(fight) {
            let Some(defender) = self.stack(state, attack.target).next() else { continue };
            for unit in self.in_fight(state, &attack, state.active) {
                arrows.push(Arrow {
                    from: self.info(unit).id.clone(),
                    to: self.info(defender).id.clone(),
                    label: self.info(unit).factors.to_string(),
                    side: Some(state.active),
                });
            }
        }
        arrows
    }

    fn status(&self, state: &GroundState) -> Vec<String> {
        let mut lines = self.limits.status(self.points(state));
        let phase = match state.phase {
            Phase::Option => "choose the option of this turn",
            Phase::Movement => "movement",
            Phase::Overstack => "overstacked hexes",
            Phase::Declare if state.combat == Combat::Exploitation => "exploitation attacks are declared",
            Phase::Declare => "attacks are declared",
            Phase::Das => "defensive air support",
            Phase::Intercept => "interception",
            Phase::AirCombat(_) => "air combat over the attacked hexes",
            Phase::Resolve | Phase::Fight(_) => "attacks are fought",
            Phase::Exploit => "exploitation",
            Phase::Attrition(_) => "attrition",
            Phase::Supply => "supply",
            Phase::Over => return lines,
        };
        let option = match (state.phase, state.option) {
            (Phase::Option, _) => "",
            (_, TurnOption::Offensive) => ", offensive",
            (_, TurnOption::Attrition) => ", attrition",
            (_, TurnOption::Pass) => ", pass",
        };
        lines.push(format!("{} turn{option}: {phase}.", adjective(state.active)));
        if let Phase::Fight(fight) = state.phase {
            let strengths = self.strengths(state, &fight.attack);
            let hex = self.map.name(fight.attack.target);
            let rounds = counted(u32::from(fight.rounds), "round");
            if fight.next != FightStage::Advance {
                let (attack, defense) = (strengths.attack, strengths.defense);
                lines.push(format!("{hex}: {attack} against {defense}, {}, after {rounds}.", strengths.ratio()));
            }
        }
        if let Phase::Attrition(struggle) = state.phase
            && struggle.next != StruggleStage::Roll
        {
            lines.push(format!("{} may still be taken.", counted(u32::from(struggle.hexes), "hex")));
        }
        lines
    }

    fn panels(&self, state: &GroundState) -> Vec<Panel> {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<String>>();
        let mut panels = vec![self.score_panel(state)];
        if self.scenario.air.axis + self.scenario.air.allies > 0 {
            let mut rows = vec![row(&["Air factors", "ready", "flying", "spent", "lost"])];
            for side in Side::BOTH {
                let pool = state.air[side];
                let flying = self.flying(state, side);
                let numbers = [pool.ready, flying, pool.spent, pool.eliminated].map(|number| number.to_string());
                rows.push([SIDES[side].to_owned()].into_iter().chain(numbers).collect());
            }
            panels.push(Panel { title: "Air".into(), side: None, rows, header: true });
        }
        if !state.attacks.is_empty() {
            let mut rows = vec![row(&["Attack", "units", "support", "air defense", "odds"])];
            for attack in &state.attacks {
                let names = self.names(attack.units.iter());
                let ratio = self.strengths(state, attack).ratio().to_string();
                let (support, das) = (attack.support.to_string(), attack.das.to_string());
                rows.push(vec![self.map.name(attack.target), names, support, das, ratio]);
            }
            panels.push(Panel { title: "Declared attacks".into(), side: Some(state.active), rows, header: true });
        }
        panels
    }

    fn score_panel(&self, state: &GroundState) -> Panel {
        let points = self.points(state);
        let lost = |side: Side| {
            let units = state.units.iter().zip(&self.units);
            units.filter(|(unit, info)| info.side == side && unit.hex.is_none()).count().to_string()
        };
        let mut rows = vec![
            vec![String::new(), SIDES.first.into(), SIDES.second.into()],
            vec!["Points".into(), points.first.to_string(), points.second.to_string()],
            vec!["Counters lost".into(), lost(Side::First), lost(Side::Second)],
        ];
        for (hex, value) in &self.map.objectives {
            let held = |side| if state.controls(side, *hex) { "holds".to_owned() } else { String::new() };
            let label = format!("{}, {}", self.map.name(*hex), counted(*value as u32, "point"));
            rows.push(vec![label, held(Side::First), held(Side::Second)]);
        }
        Panel { title: "Score".into(), side: None, rows, header: true }
    }

    /// Air factors of a side that are over a hex.
    fn flying(&self, state: &GroundState, side: Side) -> u8 {
        let fight = match state.phase {
            Phase::Fight(fight) => Some(fight.attack),
            _ => None,
        };
        let each = state.attacks.iter().copied().chain(fight);
        each.map(|attack| if side == state.active { attack.support + attack.interceptors } else { attack.das }).sum()
    }
}
