use super::{NAME, repeated};
use crate::data::Rules;
use crate::geometry::{LENGTH, lengths, lengths_left};
use crate::rule;
use crate::walk::{Course, Hazards, MOST_WAYPOINTS, Waypoints, near_cards, stride};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, Note, Refusal, Rule};
use flagplot_referee::{Procedure, Shape, Shaped, int, list, map, tuple, words};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

fn point() -> Shape {
    tuple(vec![int(-1_000_000, 1_000_000), int(-1_000_000, 1_000_000)])
}

#[words]
enum Aim {
    Squadron,
    Card,
    Point,
}

#[derive(Deserialize, Shaped)]
pub struct MeasureInput {
    /// Centre of the acting piece.
    #[shape(with = point())]
    from: Point,
    /// Centre of the target.
    #[shape(with = point())]
    to: Point,
    /// What the target is.
    target: Aim,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct MeasureOutput {
    /// Distance in thousandths of a card length.
    #[shape(0..=10_000_000)]
    distance: i64,
    /// Distance in card lengths, rounded up.
    #[shape(0..=10_000)]
    lengths: i64,
    /// Whether it is over the card.
    on_card: bool,
    /// Whether two squadrons touch.
    touching: bool,
    /// Within 1 length.
    within_1: bool,
    /// Within 2 lengths.
    within_2: bool,
    /// Within 3 lengths.
    within_3: bool,
    /// Within 6 lengths.
    within_6: bool,
}

pub struct Measure(pub Arc<Rules>);

impl Procedure for Measure {
    const NAME: &'static str = "measure";
    const HELP: &'static str = "Measures from the centre of a piece to the nearest part of another.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::MEASURING, rule::R_1, rule::R_2, rule::R_5, rule::C_4];
    type Input = MeasureInput;
    type Facts = MeasureInput;
    type Output = MeasureOutput;

    fn read(&self, input: MeasureInput) -> Result<MeasureInput, Refusal> {
        Ok(input)
    }

    fn run(&self, &MeasureInput { from, to, target }: &MeasureInput, ask: &mut impl Ask) -> Asked<MeasureOutput> {
        let geometry = &self.0.geometry;
        let (distance, rules): (_, &[Rule]) = match target {
            Aim::Squadron => (geometry.to_squadron(from, to), &[rule::MEASURING, rule::R_2, rule::C_4]),
            Aim::Card => (geometry.to_card(from, to), &[rule::MEASURING, rule::R_1, rule::R_5, rule::C_4]),
            Aim::Point => (from.ceil_dist(to), &[rule::MEASURING]),
        };
        ask.note(|| Note::new("distance", format!("{} card lengths.", lengths(distance))).by(rules).outcome(distance));
        let within = |lengths: i64| distance <= lengths * LENGTH;
        Ok(MeasureOutput {
            distance,
            lengths: (distance + LENGTH - 1) / LENGTH,
            on_card: target == Aim::Card && distance == 0,
            touching: target == Aim::Squadron && geometry.touch(from, to),
            within_1: within(1),
            within_2: within(2),
            within_3: within(3),
            within_6: within(6),
        })
    }
}

/// A squadron somewhere.
#[derive(Deserialize, Shaped)]
pub struct Placed {
    /// Name.
    #[shape(chars = NAME)]
    id: String,
    /// Centre.
    #[shape(with = point())]
    at: Point,
}

/// The groups of squadrons as sorted lists of ids, sorted.
fn groups(rules: &Rules, squadrons: &[Placed]) -> Vec<Vec<String>> {
    let labels = rules.geometry.components(&squadrons.iter().map(|squadron| squadron.at).collect::<Vec<_>>());
    let mut groups: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (squadron, label) in squadrons.iter().zip(labels) {
        groups.entry(label).or_default().push(squadron.id.clone());
    }
    let mut groups: Vec<Vec<String>> = groups.into_values().collect();
    groups.iter_mut().for_each(|group| group.sort());
    groups.sort();
    groups
}

#[derive(Deserialize, Shaped)]
pub struct GroupsInput {
    /// Blue squadrons.
    #[shape(items = 0..=12, or = [])]
    blue: Vec<Placed>,
    /// Red squadrons.
    #[shape(items = 0..=12, or = [])]
    red: Vec<Placed>,
}

fn names() -> Shape {
    list(list(String::shape().chars(NAME), 1, 12), 0, 12)
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct GroupsOutput {
    /// Blue groups.
    #[shape(with = names())]
    blue: Vec<Vec<String>>,
    /// Red groups.
    #[shape(with = names())]
    red: Vec<Vec<String>>,
}

pub struct Groups(pub Arc<Rules>);

impl Procedure for Groups {
    const NAME: &'static str = "groups";
    const HELP: &'static str = "Sorts squadrons into groups that touch.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::GROUPS, rule::R_2, rule::R_3];
    type Input = GroupsInput;
    type Facts = GroupsInput;
    type Output = GroupsOutput;

    fn read(&self, input: GroupsInput) -> Result<GroupsInput, Refusal> {
        let ids = input.blue.iter().chain(&input.red).map(|squadron| squadron.id.as_str());
        Refusal::all(repeated(ids)).map(|()| input)
    }

    fn run(&self, input: &GroupsInput, ask: &mut impl Ask) -> Asked<GroupsOutput> {
        ask.note(|| {
            let text = format!("Centres at most {} apart touch, friends only.", self.0.geometry.touch);
            Note::new("groups", text).by(Self::RULES)
        });
        Ok(GroupsOutput { blue: groups(&self.0, &input.blue), red: groups(&self.0, &input.red) })
    }
}

#[derive(Deserialize, Shaped)]
struct Card {
    #[serde(flatten)]
    placed: Placed,
    /// Whether it is the carrier group.
    real: bool,
}

#[derive(Deserialize, Shaped)]
pub struct PathInput {
    /// The moving squadrons, the lead first.
    #[shape(items = 1..=12)]
    movers: Vec<Placed>,
    /// Waypoints of the lead.
    #[shape(with = list(point(), 1, MOST_WAYPOINTS))]
    path: Waypoints,
    /// The most that may be flown.
    #[shape(0..=6000)]
    allowance: i64,
    /// Enemy squadrons.
    #[shape(items = 0..=12, or = [])]
    enemies: Vec<Placed>,
    /// Undetected enemy carrier cards.
    #[shape(items = 0..=2, or = [])]
    cards: Vec<Card>,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct PathOutput {
    /// Length of the path.
    #[shape(0..=100_000)]
    length: i64,
    /// Length flown.
    #[shape(0..=100_000)]
    flown: i64,
    /// Whether contact stopped it.
    paused: bool,
    /// Groups met.
    #[shape(with = names())]
    contact: Vec<Vec<String>>,
    /// Where the movers are.
    #[shape(with = map(point(), 12))]
    at: BTreeMap<String, Point>,
    /// Movers under fire.
    #[shape(items = 0..=12, chars = NAME)]
    aa_targets: Vec<String>,
    /// Cards detected in passing.
    #[shape(items = 0..=2, chars = NAME)]
    cards_detected: Vec<String>,
}

/// A walk up to the first contact.
pub struct Path(pub Arc<Rules>);

impl Procedure for Path {
    const NAME: &'static str = "path";
    const HELP: &'static str = "Walks a path up to the first contact.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::MOVE, rule::INTERCEPT, rule::AA_FIRE, rule::DETECT, rule::R_27];
    type Input = PathInput;
    type Facts = PathInput;
    type Output = PathOutput;

    fn read(&self, input: PathInput) -> Result<PathInput, Refusal> {
        let pieces = input.movers.iter().chain(&input.enemies).chain(input.cards.iter().map(|card| &card.placed));
        let mut reasons = repeated(pieces.map(|piece| piece.id.as_str()));
        let (length, most) = (input.path.length(input.movers[0].at), input.allowance);
        if length > most {
            let message =
                format!("The path is {} lengths long. The maximum is {}.", lengths(length), lengths_left(most));
            reasons.push(Refusal::new("path-too-long", message).by(rule::MOVE));
        }
        Refusal::all(reasons).map(|()| input)
    }

    fn run(&self, input: &PathInput, ask: &mut impl Ask) -> Asked<PathOutput> {
        let geometry = &self.0.geometry;
        let groups = groups(&self.0, &input.enemies);
        let group_of = |id: &String| groups.iter().position(|group| group.contains(id)).unwrap_or(0) as u8;
        let squadrons: Vec<(Point, u8)> = input.enemies.iter().map(|enemy| (enemy.at, group_of(&enemy.id))).collect();
        let guns: Vec<Point> = input.cards.iter().filter(|card| card.real).map(|card| card.placed.at).collect();
        let everybody = (1u16 << input.movers.len()) - 1;
        let mut hidden: Vec<&Placed> = input.cards.iter().map(|card| &card.placed).collect();
        let mut fired = 0u16;
        let mut movers: Vec<Point> = input.movers.iter().map(|mover| mover.at).collect();
        let mut course = Course::new(movers[0], input.path);
        let mut cards_detected: Vec<String> = Vec::new();
        let mut aa_targets: Vec<String> = Vec::new();
        let contact = loop {
            let centres: Vec<Point> = hidden.iter().map(|card| card.at).collect();
            let hazards = Hazards {
                squadrons: &squadrons,
                hidden: &centres,
                seers: everybody,
                guns: &guns,
                targets: everybody & !fired,
            };
            let near = near_cards(geometry, &movers, &hazards);
            if near != [0; 2] {
                let mut near = near.into_iter();
                hidden.retain(|card| {
                    let seen = near.next().is_some_and(|near| near != 0);
                    if seen {
                        cards_detected.push(card.id.clone());
                        ask.note(|| {
                            Note::new("card-detected", format!("{} is detected in passing.", card.id))
                                .by(&[rule::DETECT])
                                .pieces([&card.id])
                        });
                    }
                    !seen
                });
                continue;
            }
            let stop = stride(geometry, &mut course, &mut movers, &hazards);
            if stop.contact != 0 {
                // Cards are looked at before contact, also at its own step; guns after it, and the walk stops there.
                let seen = hidden.iter().zip(stop.near).filter(|(_, near)| *near != 0);
                cards_detected.extend(seen.map(|(card, _)| card.id.clone()));
                break stop.contact;
            }
            let ending = stop.ended && course.flown > 0;
            for (at, mover) in input.movers.iter().enumerate() {
                let over = guns.iter().any(|card| geometry.on_card(movers[at], *card));
                if fired & (1 << at) == 0 && (stop.entered & (1 << at) != 0 || (ending && over)) {
                    fired |= 1 << at;
                    aa_targets.push(mover.id.clone());
                    ask.note(|| {
                        Note::new("under-fire", format!("{} comes over the carrier and draws fire.", mover.id))
                            .by(&[rule::AA_FIRE])
                            .pieces([&mover.id])
                    });
                }
            }
            if stop.ended {
                break 0;
            }
        };
        let met: Vec<Vec<String>> =
            groups.into_iter().enumerate().filter(|(at, _)| contact & (1 << at) != 0).map(|(_, group)| group).collect();
        ask.note(|| {
            let text = if met.is_empty() {
                format!("{} flown, no contact.", course.flown)
            } else {
                format!("Contact after {} with {}.", course.flown, met.concat().join(", "))
            };
            Note::new("walk", text).by(&[rule::MOVE, rule::INTERCEPT, rule::R_27]).outcome(course.flown)
        });
        Ok(PathOutput {
            length: input.path.length(input.movers[0].at),
            flown: course.flown,
            paused: contact != 0,
            contact: met,
            at: input.movers.iter().zip(&movers).map(|(mover, at)| (mover.id.clone(), *at)).collect(),
            aa_targets,
            cards_detected,
        })
    }
}
