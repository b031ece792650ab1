//! Set-up in secret: contact markers, submarines, mine fields. [C-40, C-52]

use crate::data::GrantedFields;
use crate::game::FleetGame;
use crate::game::battle::side;
use crate::game::id::Id;
use crate::game::state::*;
use crate::game::turn::Stop;
use crate::geometry::{Heading, Position};
use crate::rule;
use flagplot_kernel::plane::Point;
use flagplot_kernel::scene::{Piece, Place as ScenePlace};
use flagplot_kernel::{
    Ask, Asked, Candidate, Chance, Choice, Decision, Form, FormItem, FormPlace, Note, OptionView, Prompt, Refusal,
    Region, Screen, Seat, Side, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// How far it has got.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Both sides put down what is secret.
    Place,
}

/// What a side puts down in secret.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Placing {
    /// The marker of each contact squadron; the other markers are dummies.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub contacts: BTreeMap<Id, Id>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub submarines: BTreeMap<Id, Dive>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Laid>,
}

/// Where a submarine starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dive {
    pub at: Point,
    pub heading: i32,
    pub level: Level,
}

/// Where a mine field lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Laid {
    pub at: Point,
    /// Its long side.
    pub heading: i32,
}

impl FleetGame {
    pub(in crate::game) fn begin_setup(&self, sea: &mut Sea) -> Option<Stage> {
        let asked = Side::BOTH.map(|side| self.placement(sea, side).anything());
        sea.ready = flagplot_kernel::BySide { first: !asked[0], second: !asked[1] };
        asked.contains(&true).then_some(Stage::Place)
    }

    /// Everybody who has something to place does so at the same time. [2, phase 0]
    pub(in crate::game) fn step_setup(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let sea = &mut state.sea;
        let placings = {
            let all = Side::BOTH.map(|side| self.placement(sea, side));
            let asked: Vec<Placement<'_>> = all.into_iter().filter(Placement::anything).collect();
            let answers = ask.in_secret(&asked)?;
            let sides: Vec<Side> = asked.iter().map(|placement| placement.side).collect();
            sides.into_iter().zip(answers).collect::<Vec<(Side, Placing)>>()
        };
        for (side, placing) in &placings {
            self.put_down(sea, *side, placing);
            sea.ready[*side] = true;
            self.tell_placing(*side, placing, ask);
        }
        self.after(Stop::SetUp, state);
        Ok(())
    }

    pub(in crate::game) fn placement<'a>(&'a self, sea: &'a Sea, side: Side) -> Placement<'a> {
        Placement { game: self, sea, side }
    }

    fn put_down(&self, sea: &mut Sea, of: Side, placing: &Placing) {
        let grants: Vec<GrantedFields> = self.placement(sea, of).grants();
        for at in 0..sea.markers.len() {
            let id = MarkerId(at as u8);
            if sea.marker(id).side == of {
                let on_it = placing.contacts.iter().find(|(_, marker)| **marker == self.marker_id(id));
                let squadron = on_it.and_then(|(squadron, _)| self.find_squadron(squadron.as_str()));
                sea.marker_mut(id).holds = Some(squadron.map_or(Holds::Dummy, Holds::Squadron));
            }
        }
        for (id, dive) in &placing.submarines {
            if let Some(id) = self.battle.find(id.as_str()) {
                let at = self.position(dive.at, dive.heading);
                let vessel = sea.vessel_mut(id);
                (vessel.at, vessel.level, vessel.placed) = (at, dive.level, true);
            }
        }
        for (laid, grant) in placing.fields.iter().zip(grants) {
            let at = self.position(laid.at, laid.heading);
            sea.fields.push(Field { side: of, at, density: Some(grant.density), known: false });
        }
    }

    fn tell_placing(&self, of: Side, placing: &Placing, ask: &mut impl Ask) {
        ask.note(|| {
            let text = format!("Set up in secret: {}", self.battle.side_name(of));
            Note::new("set-up", text).by(&[rule::C_40, rule::C_52])
        });
        for (squadron, marker) in &placing.contacts {
            ask.note(|| {
                let squadron = self.find_squadron(squadron.as_str()).map(|id| self.battle.squad(id).name.clone());
                let marker = marker.as_str().replace("contact-", "Contact ");
                Note::new("set-up", format!("{} is {marker}", squadron.unwrap_or_default()))
                    .by(&[rule::C_40])
                    .detail()
                    .only(Viewer::Seat(of.into()))
            });
        }
    }

    /// A position at a point. A number of degrees that is not a heading counts as north.
    pub(in crate::game) fn position(&self, at: Point, heading: i32) -> Position {
        let heading = Heading::new(&self.battle.rules, heading).unwrap_or_default();
        Position { at: crate::geometry::Place { x: at.x, y: at.y }, heading }
    }

    pub(in crate::game) fn find_squadron(&self, id: &str) -> Option<SquadronId> {
        self.battle.squadrons.iter().position(|squad| squad.id == *id).map(|at| SquadronId(at as u8))
    }
}

/// What a side may put down in secret, and where.
pub(in crate::game) struct Placement<'a> {
    pub game: &'a FleetGame,
    pub sea: &'a Sea,
    pub side: Side,
}

impl Placement<'_> {
    /// The contact squadrons of the side.
    fn squadrons(&self) -> Vec<SquadronId> {
        let squads = self.game.battle.squadrons.iter().enumerate();
        let contacts = squads.filter(|(_, squad)| squad.side == self.side && squad.contact);
        contacts.map(|(at, _)| SquadronId(at as u8)).collect()
    }

    fn markers(&self) -> Vec<MarkerId> {
        self.game.contacts(self.sea, self.side).collect()
    }

    fn submarines(&self) -> Vec<VesselId> {
        let all = self.game.battle.vessels.iter().enumerate();
        all.filter(|(_, member)| member.side == self.side && member.around.is_some())
            .map(|(at, _)| VesselId(at as u8))
            .collect()
    }

    /// The fields that the scenario grants, one by one.
    fn grants(&self) -> Vec<GrantedFields> {
        let grants = self.game.battle.scenario.fields.iter().filter(|grant| side(grant.side) == self.side);
        grants.flat_map(|grant| (0..grant.count).map(|_| *grant)).collect()
    }

    fn anything(&self) -> bool {
        !self.squadrons().is_empty() || !self.submarines().is_empty() || !self.grants().is_empty()
    }

    fn wrong_contacts(&self, placing: &Placing, reasons: &mut Vec<Refusal>) {
        let game = self.game;
        let mut refuse = |code, text: String| reasons.push(Refusal::new(code, text).by(rule::C_40));
        let shown = |id: &Id| id.as_str().chars().take(60).collect::<String>();
        let markers: Vec<Id> = self.markers().into_iter().map(|marker| game.marker_id(marker)).collect();
        let squadrons: Vec<&Id> = self.squadrons().iter().map(|id| &game.battle.squad(*id).id).collect();
        for (squadron, marker) in &placing.contacts {
            if !squadrons.contains(&squadron) {
                refuse("not-a-contact", format!("'{}' is not a contact squadron of yours.", shown(squadron)));
            }
            if !markers.contains(marker) {
                refuse("not-a-contact", format!("'{}' is not a marker of yours.", shown(marker)));
            }
            if placing.contacts.values().filter(|other| *other == marker).count() > 1 {
                refuse("contact-taken", format!("Two squadrons are on '{}'; a marker holds one.", shown(marker)));
            }
        }
        for id in self.squadrons() {
            let squad = game.battle.squad(id);
            if !placing.contacts.contains_key(&squad.id) {
                refuse("missing-field", format!("{} needs a marker.", squad.name));
            }
        }
    }

    fn wrong_submarines(&self, placing: &Placing, reasons: &mut Vec<Refusal>) {
        let battle = &self.game.battle;
        let mut refuse = |code, text: String| reasons.push(Refusal::new(code, text).by(rule::C_52));
        let submarines = self.submarines();
        for id in placing.submarines.keys() {
            if !submarines.iter().any(|submarine| battle.member(*submarine).id == *id) {
                let shown: String = id.as_str().chars().take(60).collect();
                refuse("not-a-submarine", format!("'{shown}' is not a submarine of yours."));
            }
        }
        for submarine in submarines {
            let member = battle.member(submarine);
            let Some(dive) = placing.submarines.get(&member.id) else {
                refuse("missing-field", format!("{} needs a place.", member.name));
                continue;
            };
            if Heading::new(&battle.rules, dive.heading).is_none() {
                let text = format!(
                    "{}: {} is not a heading; it is a multiple of 15 from 0 to 345.",
                    member.name, dive.heading
                );
                refuse("out-of-range", text);
            }
            if dive.level == Level::Surfaced {
                refuse("out-of-range", format!("{} starts at periscope depth or deep.", member.name));
            }
            let Some((around, least, most)) = member.around else { continue };
            let near = 1_000_000;
            let far = dive.at.x.abs() > near || dive.at.y.abs() > near;
            let distance = if far { i64::MAX } else { self.game.point(self.sea, around).ceil_dist(dive.at) };
            if !(least..=most).contains(&distance) {
                let around = &battle.member(around).name;
                refuse("out-of-range", format!("{} lies {least} to {most} mm from {around}.", member.name));
            }
        }
    }

    fn wrong_fields(&self, placing: &Placing, reasons: &mut Vec<Refusal>) {
        let mut refuse = |code, text: String| reasons.push(Refusal::new(code, text).by(rule::C_52));
        let grants = self.grants();
        if placing.fields.len() != grants.len() {
            let (given, most) = (placing.fields.len(), grants.len());
            refuse("missing-field", format!("There are {given} mine fields; you lay {most}."));
        }
        for (at, (laid, grant)) in placing.fields.iter().zip(&grants).enumerate() {
            let number = at + 1;
            if Heading::new(&self.game.battle.rules, laid.heading).is_none() {
                refuse("out-of-range", format!("Mine field {number}: its heading is a multiple of 15 from 0 to 345."));
            } else if !self.lies_inside(laid, grant) {
                refuse("out-of-range", format!("Mine field {number} does not lie wholly inside its area."));
            }
        }
    }

    fn lies_inside(&self, laid: &Laid, grant: &GrantedFields) -> bool {
        if laid.at.x.abs() > 1_000_000 || laid.at.y.abs() > 1_000_000 {
            return false;
        }
        let at = self.game.position(laid.at, laid.heading);
        let field = Field { side: self.side, at, density: None, known: false };
        let within = |value: i64, at: usize| (i64::from(grant.min[at])..=i64::from(grant.max[at])).contains(&value);
        field.corners(&self.game.battle.rules).iter().all(|corner| within(corner.x, 0) && within(corner.y, 1))
    }

    fn any(&self, chance: &mut Chance) -> Placing {
        let battle = &self.game.battle;
        let mut markers = self.markers();
        chance.shuffle(&mut markers);
        let contacts = self.squadrons().into_iter().zip(markers);
        let contacts = contacts.map(|(id, marker)| (battle.squad(id).id.clone(), self.game.marker_id(marker)));
        let contacts = contacts.collect();
        let submarines = self.submarines().into_iter().filter_map(|id| {
            let (around, least, most) = battle.member(id).around?;
            let middle = self.game.point(self.sea, around);
            // A little inside the ring, so that rounding cannot leave it.
            let distance = least + 2 + i64::from(chance.below((most - least - 3).max(1) as u32));
            let bearing = chance.below(24) as i32 * 15;
            let at = flagplot_kernel::course::ahead(middle, bearing, distance);
            let level = if chance.below(2) == 0 { Level::Periscope } else { Level::Deep };
            Some((battle.member(id).id.clone(), Dive { at, heading: (bearing + 180) % 360, level }))
        });
        let submarines = submarines.collect();
        let fields = self.grants().iter().map(|grant| self.any_field(grant, chance)).collect();
        Placing { contacts, submarines, fields }
    }

    pub(in crate::game) fn any_field(&self, grant: &GrantedFields, chance: &mut Chance) -> Laid {
        let point = |share: [u32; 2]| {
            let along = |at: usize| {
                let (min, max) = (i64::from(grant.min[at]), i64::from(grant.max[at]));
                min + (max - min) * i64::from(share[at]) / 1000
            };
            Point::new(along(0), along(1))
        };
        for _ in 0..60 {
            let at = point([chance.below(1001), chance.below(1001)]);
            let laid = Laid { at, heading: chance.below(24) as i32 * 15 };
            if self.lies_inside(&laid, grant) {
                return laid;
            }
        }
        // The middle, along the longer side.
        let wide = grant.max[0] - grant.min[0] >= grant.max[1] - grant.min[1];
        Laid { at: point([500, 500]), heading: if wide { 90 } else { 0 } }
    }

    fn piece(&self, id: &str, name: &str, kind: &str, at: Point) -> Piece {
        Piece {
            id: id.into(),
            name: name.into(),
            side: Some(self.side),
            kind: kind.into(),
            place: ScenePlace::Point(at.into()),
            facing: None,
            size: None,
            badges: Vec::new(),
            states: Vec::new(),
            text: name.into(),
        }
    }
}

impl Decision for Placement<'_> {
    type Value = Placing;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Placing) -> Result<(), Refusal> {
        let mut reasons = Vec::new();
        self.wrong_contacts(value, &mut reasons);
        self.wrong_submarines(value, &mut reasons);
        self.wrong_fields(value, &mut reasons);
        Refusal::all(reasons)
    }
}

impl Screen for Placement<'_> {
    fn prompt(&self) -> Prompt {
        let (contacts, submarines) = (!self.squadrons().is_empty(), !self.submarines().is_empty());
        let what = match (contacts, submarines, !self.grants().is_empty()) {
            (true, false, false) => "Which marker does each squadron start on?",
            (false, true, false) => "Where does your submarine lie?",
            (false, false, true) => "Where do you lay your mines?",
            _ => "Where do you place your hidden pieces?",
        };
        let by = if contacts { rule::C_40 } else { rule::C_52 };
        Prompt::new("set-up", what, by).confirm()
    }

    fn candidates(&self) -> Vec<Candidate<Placing>> {
        let mut candidates: Vec<Candidate<Placing>> = Vec::new();
        for seed in 0..24 {
            let placing = self.any(&mut Chance::seeded(seed));
            if !candidates.iter().any(|known| known.value == placing) && candidates.len() < 6 {
                let label = match placing.contacts.is_empty() {
                    true => format!("Placing {}", candidates.len() + 1),
                    false => {
                        let words = placing.contacts.iter().map(|(squadron, marker)| {
                            let name = crate::game::battle::title(squadron.as_str());
                            format!("{name}: {}", marker.as_str().replace("contact-", "Contact "))
                        });
                        words.collect::<Vec<String>>().join(", ")
                    }
                };
                candidates.push(Candidate::new(placing, label));
            }
        }
        candidates
    }

    fn form(&self) -> Form {
        let battle = &self.game.battle;
        let (mut places, mut items, mut template) = (Vec::new(), Vec::new(), Map::new());
        let heading = |id: String, label: String| {
            let options = (0..24).map(|step| OptionView::new(step * 15, format!("{:03}°", step * 15))).collect();
            FormItem { id, label, options }
        };
        let contacts: Map<String, Value> = self
            .squadrons()
            .into_iter()
            .map(|id| {
                let squad = battle.squad(id);
                let option = |marker: MarkerId| {
                    let (id, name) = (self.game.marker_id(marker), self.game.marker_name(marker));
                    OptionView::new(id.as_str(), name).at([&id])
                };
                let options = self.markers().into_iter().map(option).collect();
                items.push(FormItem { id: squad.id.to_string(), label: squad.name.clone(), options });
                (squad.id.to_string(), Value::from(format!("${}", squad.id)))
            })
            .collect();
        let submarines: Map<String, Value> = self
            .submarines()
            .into_iter()
            .filter_map(|id| {
                let member = battle.member(id);
                let (around, least, most) = member.around?;
                let middle = self.game.point(self.sea, around);
                let (course, depth) = (format!("{}-heading", member.id), format!("{}-level", member.id));
                places.push(FormPlace {
                    id: member.id.to_string(),
                    label: member.name.clone(),
                    piece: self.piece(member.id.as_str(), &member.name, "submarine", middle),
                    regions: vec![Region::Around { middle: middle.into(), size: [0, 0], least, most }],
                    origin: None,
                    optional: false,
                });
                items.push(heading(course.clone(), format!("Heading of {}", member.name)));
                let levels = vec![OptionView::new("periscope", "at periscope depth"), OptionView::new("deep", "deep")];
                items.push(FormItem { id: depth.clone(), label: format!("Depth of {}", member.name), options: levels });
                let parts = json!({
                    "at": format!("${}", member.id), "heading": format!("${course}"), "level": format!("${depth}"),
                });
                Some((member.id.to_string(), parts))
            })
            .collect();
        let mut fields = Vec::new();
        for (at, grant) in self.grants().iter().enumerate() {
            let (id, label) = (format!("field-{}", at + 1), format!("Mine field {}", at + 1));
            let [left, low] = grant.min.map(i64::from);
            let [right, high] = grant.max.map(i64::from);
            let middle = Point::new(i64::midpoint(left, right), i64::midpoint(low, high));
            places.push(FormPlace {
                id: id.clone(),
                label: label.clone(),
                piece: self.piece(&id, &label, "mine-field", middle),
                regions: vec![Region::Around {
                    middle: middle.into(),
                    size: [right - left, high - low],
                    least: 0,
                    most: 0,
                }],
                origin: None,
                optional: false,
            });
            items.push(heading(format!("{id}-heading"), format!("Heading of {}", label.to_lowercase())));
            fields.push(json!({"at": format!("${id}"), "heading": format!("${id}-heading")}));
        }
        for (key, map) in [("contacts", contacts), ("submarines", submarines)] {
            if !map.is_empty() {
                template.insert(key.into(), map.into());
            }
        }
        if !fields.is_empty() {
            template.insert("fields".into(), fields.into());
        }
        Form::Parts { places, items, template: template.into() }
    }
}

impl Choice for Placement<'_> {
    fn sample(&self, chance: &mut Chance) -> Placing {
        self.any(chance)
    }
}
