//! How a screen asks for points and parts: cards that are laid or steam, squadrons that come along, searches that go
//! with a move.
//!
//! Everything here reads only what the asked side can see; whether an answer is legal is for the checks to say.

use super::CarrierGame;
use super::action::{CvDetect, DetectPlan, DogfightDetect, Rides, When};
use super::piece::{PieceId, SquadronId, Squads};
use super::state::{Deck, Table, Where};
use crate::geometry::LENGTH;
use crate::words::Role;
use flagplot_kernel::plane::Point;
use flagplot_kernel::scene::{Piece, Place};
use flagplot_kernel::{Form, FormItem, FormPlace, OptionView, Region, Side};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The most corners a path may have.
pub(super) const CORNERS: u32 = 8;

/// A group of so many can move behind another lead, or in part.
const MANY: usize = 2;

pub(super) fn item<T: Serialize>(
    id: &str,
    label: impl Into<String>,
    options: impl IntoIterator<Item = (T, String, Vec<String>)>,
) -> FormItem {
    let options =
        options.into_iter().map(|(value, label, pieces)| OptionView::new(json!(value), label).at(pieces)).collect();
    FormItem { id: id.to_string(), label: label.into(), options }
}

/// How many each of some squadrons loses of a total.
pub(super) fn shared(table: &Table, squadrons: impl Iterator<Item = SquadronId>, total: i64) -> Form {
    let counted = |id: SquadronId| item(id.id(), id.to_string(), std::iter::empty::<(u8, String, Vec<String>)>());
    Form::numbers(squadrons.map(|id| (counted(id), (0, i64::from(table[id].strength)))), Some(total))
}

pub(super) fn each<'a>(ids: impl Iterator<Item = &'a str>) -> Value {
    Value::Object(ids.map(|id| (id.to_owned(), placeholder(id))).collect::<Map<_, _>>())
}

pub(super) fn placeholder(id: &str) -> Value {
    json!(format!("${id}"))
}

/// Whether a squadron comes along: left out unless it is said.
pub(super) fn along(id: SquadronId, comes: &str, stays: &str) -> FormItem {
    let comes = (Some(id), comes.to_owned(), vec![id.id().to_owned()]);
    item(id.id(), id.to_string(), [(None, stays.to_owned(), Vec::new()), comes])
}

/// A circle: at most so far from a point.
pub(super) fn within(middle: Point, most: i64) -> Region {
    Region::Around { middle: middle.into(), size: [0, 0], least: 0, most }
}

/// A circle's line: exactly so far from a point.
pub(super) fn exactly(middle: Point, distance: i64) -> Region {
    Region::Around { middle: middle.into(), size: [0, 0], least: distance, most: distance }
}

pub(super) fn place(label: impl Into<String>, piece: Piece, regions: Vec<Region>) -> FormPlace {
    FormPlace { id: piece.id.clone(), label: label.into(), piece, regions, origin: None, optional: false }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Laid {
    Real,
    Decoy,
}

impl CarrierGame {
    /// A card of a side's own that is about to be laid.
    pub(super) fn card_to_lay(&self, side: Side, what: Laid, hidden: bool, at: Point) -> Piece {
        let (id, text) = match what {
            Laid::Real => ("real", "carrier group"),
            Laid::Decoy => ("decoy", "decoy"),
        };
        Piece {
            id: id.into(),
            name: text.into(),
            side: Some(side),
            kind: "card".into(),
            place: Place::Point(at.into()),
            facing: None,
            size: Some([self.rules.geometry.card_width, self.rules.geometry.card_length]),
            badges: Vec::new(),
            states: if hidden { vec!["hidden".into(), id.into()] } else { Vec::new() },
            text: text.into(),
        }
    }

    /// Around a card, at a distance from its edges.
    pub(super) fn around_card(&self, card: Point, least: i64, most: i64) -> Region {
        Region::Around {
            middle: card.into(),
            size: [self.rules.geometry.card_width, self.rules.geometry.card_length],
            least,
            most,
        }
    }

    /// A squadron of a side's own that is put somewhere.
    pub(super) fn die_to_put(&self, table: &Table, id: SquadronId, at: Point) -> Piece {
        let die = self.die(table, super::only(id.side()), id);
        let kind = match (table[id].up(), table[id].deck) {
            (false, Deck::Fighter) => "fighter-squadron".into(),
            (false, Deck::Strike) => "strike-squadron".into(),
            _ => die.kind,
        };
        let (badges, states) = if table[id].up() { (die.badges, die.states) } else { Default::default() };
        Piece { place: Place::Point(at.into()), text: id.to_string(), kind, badges, states, ..die }
    }

    /// Where each card of a side steams: every one by its own, within its speed, or not at all.
    pub(super) fn steaming(&self, table: &Table, side: Side) -> (Vec<FormPlace>, Value) {
        let carrier = &table.carriers[side];
        let pieces: Vec<Piece> =
            self.cards(table, super::only(side)).filter(|piece| piece.side == Some(side)).collect();
        let places = carrier.on_table().filter_map(|(at, card)| {
            let id = carrier.card_id(side, at);
            let piece = pieces.iter().find(|piece| piece.id == id.id())?.clone();
            Some(FormPlace {
                optional: true,
                ..place(format!("{id}"), piece, vec![within(card, self.speed(carrier.hits))])
            })
        });
        (places.collect(), each(carrier.on_table().map(|(at, _)| carrier.card_id(side, at).id())))
    }

    /// A line of exactly some length along which squadrons go, marked where the first of them ends; it begins as
    /// `start`.
    pub(super) fn line_form(
        &self,
        table: &Table,
        squadrons: Squads,
        length: i64,
        start: Point,
        template: impl Fn(Value) -> Value,
    ) -> Option<Form> {
        let lead = squadrons.first()?;
        let from = table[lead].pos;
        let with = if squadrons.count() > 1 { ", the others keep formation" } else { "" };
        let piece = self.die_to_put(table, lead, from + start);
        let end = FormPlace {
            origin: Some(from.into()),
            ..place(format!("End of {lead}{with}"), piece, vec![exactly(from, length)])
        };
        Some(Form::Parts { template: template(placeholder(&end.id)), places: vec![end], items: Vec::new() })
    }

    /// A search that goes with a move, by one of these squadrons: none unless it is said.
    fn search_item(&self, table: &Table, side: Side, set: Squads, when: When) -> Option<FormItem> {
        let searchers = set.iter().filter(|id| self.may_search(table, side, PieceId::Squadron(*id)).is_ok());
        let plan = |by, target| DetectPlan { when, by, target };
        let plans: Vec<_> = if when == When::After {
            let named = |by: SquadronId| (Some(plan(by, None)), format!("{by} searches"), vec![by.id().to_owned()]);
            searchers.map(named).collect()
        } else {
            let targets = |by| self.searchable(table, side, PieceId::Squadron(by)).into_iter().map(move |to| (by, to));
            let named = |(by, target): (SquadronId, PieceId)| {
                (Some(plan(by, Some(target))), format!("{by} searches for {target}"), vec![target.id().to_owned()])
            };
            searchers.flat_map(targets).map(named).collect()
        };
        if plans.is_empty() {
            return None;
        }
        let none = (when == When::After).then(|| (None, "No search".to_owned(), Vec::new()));
        Some(item(
            "search",
            if when == When::After { "Search afterwards" } else { "Search first" },
            none.into_iter().chain(plans),
        ))
    }

    /// How a screen asks for an action.
    pub(super) fn action_form(&self, table: &Table, side: Side) -> Form {
        let mut ways = vec![("Pick an action".to_owned(), Form::Pick)];
        let sets = self.useful_sets(table, side);
        for set in &sets {
            let squadrons: Vec<SquadronId> = set.iter().collect();
            ways.push((format!("Move {}", set), self.move_form(table, side, *set, squadrons[0], &[])));
            if self.strike_with(table, side, *set).is_some() {
                ways.push((
                    format!("Strike with {}", set),
                    self.strike_form(json!(squadrons), squadrons[0], Vec::new()),
                ));
            }
        }
        self.parts_of_groups(table, side, &sets, &mut ways);
        ways.extend(self.search_first_form(table, side, &sets).map(|form| ("Search, then move".to_owned(), form)));
        ways.extend(self.dogfight_form(table, side, &sets).map(|form| ("Attack in a dogfight".to_owned(), form)));
        self.ways_from_deck(table, side, &mut ways);
        self.ways_at_sea(table, side, &mut ways);
        Form::Choices { ways }
    }

    /// A path of a set of squadrons behind its lead; of the others come along who is named as optional only when they
    /// are told to.
    fn move_form(&self, table: &Table, side: Side, set: Squads, lead: SquadronId, optional: &[SquadronId]) -> Form {
        let squadrons = coming(set, lead, optional);
        let search = self.search_item(table, side, set, When::After);
        let mut template = json!({"action": "move", "squadrons": squadrons, "path": "$points"});
        if search.is_some() {
            template["detect"] = placeholder("search");
        }
        let items = optional.iter().map(|id| along(*id, "comes along", "stays")).chain(search).collect();
        Form::Points {
            piece: Some(lead.id().into()),
            max: CORNERS,
            reach: Some(self.rules.speeds.squadron_move),
            items,
            template,
        }
    }

    fn strike_form(&self, squadrons: Value, lead: SquadronId, items: Vec<FormItem>) -> Form {
        let template = json!({"action": "strike", "squadrons": squadrons, "path": "$points"});
        Form::Points {
            piece: Some(lead.id().into()),
            max: CORNERS,
            reach: Some(self.rules.speeds.strike_approach),
            items,
            template,
        }
    }

    /// Moves and strikes of some of a larger group, behind each of its squadrons.
    fn parts_of_groups(&self, table: &Table, side: Side, sets: &[Squads], ways: &mut Vec<(String, Form)>) {
        let fit: Squads = sets.iter().fold(Squads::default(), |all, set| all.and(*set));
        for lead in fit.iter() {
            let group = table.component(&self.rules.geometry, Squads::one(lead), fit);
            let others: Vec<SquadronId> = group.without(Squads::one(lead)).iter().collect();
            if group.count() < MANY {
                continue;
            }
            ways.push((
                format!("Move {lead} and some of its group"),
                self.move_form(table, side, group, lead, &others),
            ));
            if self.strike_with(table, side, group).is_some() {
                let items = others.iter().map(|id| along(*id, "comes along", "stays")).collect();
                ways.push((
                    format!("Strike with {lead} and some of its group"),
                    self.strike_form(coming(group, lead, &others), lead, items),
                ));
            }
        }
    }

    /// A search before a move of several squadrons, whose path is asked for when its result is known.
    fn search_first_form(&self, table: &Table, side: Side, sets: &[Squads]) -> Option<Form> {
        let several: Vec<Squads> = sets.iter().copied().filter(|set| set.count() > 1).collect();
        let all = several.iter().fold(Squads::default(), |all, set| all.and(*set));
        let search = self.search_item(table, side, all, When::Before)?;
        let who = item(
            "squadrons",
            "Who moves afterwards",
            several.iter().map(|set| (set.iter().collect::<Vec<_>>(), set.to_string(), Vec::new())),
        );
        Some(Form::Parts {
            places: Vec::new(),
            items: vec![search, who],
            template: json!({"action": "move", "squadrons": "$squadrons", "detect": "$search"}),
        })
    }

    /// A dogfight of any fighters with any group, after a search by any of them.
    fn dogfight_form(&self, table: &Table, side: Side, sets: &[Squads]) -> Option<Form> {
        let all = sets.iter().fold(Squads::default(), |all, set| all.and(*set));
        let fighters: Squads =
            all.iter().filter(|id| table[*id].role == Some(Role::Fighter) && !table[*id].is_dummy()).collect();
        let near = |group: &Squads| table.within(&self.rules.geometry, fighters, *group, self.rules.ranges.dogfight);
        let groups = table.groups(&self.rules.geometry, side.other());
        let targets: Vec<Squads> = groups.iter().copied().filter(near).collect();
        if fighters.count() < 2 || targets.is_empty() {
            return None;
        }
        let target = targets
            .iter()
            .filter_map(|group| Some((group.first()?, group.to_string(), group.ids().map(str::to_owned).collect())));
        let searchers = fighters.iter().filter(|id| !table[*id].detect_used);
        let search =
            searchers.map(|by| (Some(DogfightDetect { by }), format!("{by} searches for them first"), Vec::new()));
        let mut items: Vec<FormItem> = fighters.iter().map(|id| along(id, "attacks", "stays out")).collect();
        items.push(item("target", "Target", target));
        items.push(item("search", "Search", std::iter::once((None, "No search".to_owned(), Vec::new())).chain(search)));
        let squadrons: Vec<Value> = fighters.ids().map(placeholder).collect();
        Some(Form::Parts {
            places: Vec::new(),
            items,
            template: json!({"action": "dogfight", "squadrons": squadrons, "target": "$target", "detect": "$search"}),
        })
    }

    fn ways_from_deck(&self, table: &Table, side: Side, ways: &mut Vec<(String, Form)>) {
        // A squadron may be armed as it already is: the enemy only sees that the deck is at work.
        let armed: Vec<SquadronId> =
            SquadronId::of(side).filter(|id| self.may_re_arm(table, side, *id, Role::Strike).is_ok()).collect();
        if !armed.is_empty() {
            let roles = [
                (Role::Fighter, "as fighters".to_owned(), Vec::new()),
                (Role::Strike, "for strikes".to_owned(), Vec::new()),
            ];
            let items = vec![
                item("squadron", "Squadron", armed.iter().map(|id| (*id, id.to_string(), Vec::new()))),
                item("role", "Armed", roles),
            ];
            ways.push((
                "Arm a squadron".into(),
                Form::Parts {
                    places: Vec::new(),
                    items,
                    template: json!({"action": "re-arm", "squadron": "$squadron", "role": "$role"}),
                },
            ));
        }
        let carrier = &table.carriers[side];
        let Some(card) = carrier.real_card().filter(|_| carrier.in_play()) else { return };
        let reach = self.rules.ranges.launch * LENGTH;
        for id in SquadronId::of(side)
            .filter(|id| table[*id].place == Where::Aboard && table[*id].deck.ready() && !table[*id].acted)
        {
            let launch = |dummy: bool, regions: Vec<Region>| Form::Parts {
                places: vec![place(format!("Start of {id}"), self.die_to_put(table, id, card), regions)],
                items: Vec::new(),
                template: json!({"action": "launch", "squadron": id, "at": placeholder(id.id()), "dummy": dummy}),
            };
            ways.push((format!("Launch {id}"), launch(false, vec![self.around_card(card, 0, reach)])));
            if !id.is_recce() && carrier.undetected() {
                let cards = carrier.on_table().map(|(_, card)| self.around_card(card, 0, reach)).collect();
                ways.push((format!("Launch {id} as a dummy"), launch(true, cards)));
            }
        }
    }

    fn ways_at_sea(&self, table: &Table, side: Side, ways: &mut Vec<(String, Form)>) {
        let carrier = &table.carriers[side];
        if carrier.in_play() && !carrier.acted {
            let (places, to) = self.steaming(table, side);
            let mut template = json!({"action": "move-cv", "to": to});
            let mut items = Vec::new();
            if !carrier.detect_used {
                template["detect"] = placeholder("search");
                let search = (Some(CvDetect { when: When::After, target: None }), "Search".to_owned(), Vec::new());
                items.push(item("search", "Search afterwards", [(None, "No search".to_owned(), Vec::new()), search]));
            }
            ways.push(("Move the carriers".into(), Form::Parts { places, items, template }));
            ways.extend(self.evasion_form(table, side).map(|form| ("Slip away".to_owned(), form)));
        }
        let near: Vec<SquadronId> =
            table.up(side).iter().filter(|id| self.may_disengage(table, side, &[*id]).is_ok()).collect();
        if !near.is_empty() {
            let aboard: Vec<Value> = near.iter().map(|id| placeholder(id.id())).collect();
            let template = json!({"action": "disengage", "aboard": aboard});
            let items = near.iter().map(|id| along(*id, "comes aboard", "stays behind")).collect();
            ways.push(("Leave the battle".into(), Form::Parts { places: Vec::new(), items, template }));
        }
    }

    /// Slipping away: where both cards go, and with which of them each die on the old card goes.
    fn evasion_form(&self, table: &Table, side: Side) -> Option<Form> {
        let old = self.can_evade(table, side)?;
        let speed = self.speed(table.carriers[side].hits);
        let (real, decoy) = self
            .evasions(table, side)
            .first()
            .map_or((old + Point::new(speed, 0), old - Point::new(speed, 0)), |first| (first.real, first.decoy));
        let ring = || vec![exactly(old, speed)];
        let places = vec![
            place("Carrier group", self.card_to_lay(side, Laid::Real, true, real), ring()),
            place("Decoy", self.card_to_lay(side, Laid::Decoy, true, decoy), ring()),
        ];
        let riders = self.riders(table, side, old);
        let items = riders.iter().map(|id| {
            let with = [
                (Rides::Real, "with the carrier group".to_owned(), vec!["real".to_owned()]),
                (Rides::Decoy, "with the decoy".to_owned(), vec!["decoy".to_owned()]),
            ];
            item(id.id(), format!("{id} goes"), with)
        });
        let template =
            json!({"action": "move-cv", "evade": {"real": "$real", "decoy": "$decoy", "riders": each(riders.ids())}});
        Some(Form::Parts { places, items: items.collect(), template })
    }
}

/// The squadrons of an answer: the lead, then the others, with placeholders for those who may stay.
pub(super) fn coming(set: Squads, lead: SquadronId, optional: &[SquadronId]) -> Value {
    let others = set.without(Squads::one(lead));
    let rest = others.iter().map(|id| if optional.contains(&id) { placeholder(id.id()) } else { json!(id) });
    Value::Array(std::iter::once(json!(lead)).chain(rest).collect())
}
