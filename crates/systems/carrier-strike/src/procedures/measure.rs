use super::*;
use crate::geometry::LENGTH;
use crate::rule;
use crate::walk::{Course, Hazards, MOST_WAYPOINTS, Waypoints, near_cards, stride};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Note};
use flagplot_referee::{About, Halt, OldProcedure, bool, map};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A distance.
pub struct Measure(pub Arc<Book>);

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Aim {
    Squadron,
    Card,
    Point,
}

#[derive(Deserialize)]
pub struct MeasureInput {
    from: Point,
    to: Point,
    target: Aim,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub struct MeasureOutput {
    distance: i64,
    lengths: i64,
    on_card: bool,
    touching: bool,
    within_1: bool,
    within_2: bool,
    within_3: bool,
    within_6: bool,
}

impl OldProcedure for Measure {
    type Input = MeasureInput;
    type Output = MeasureOutput;

    fn about(&self) -> About {
        About {
            name: "measure",
            help: "Measures from the centre of a piece to the nearest part of another.",
            dice: "none",
            input: record(vec![
                req("from", point(), "centre of the acting piece"),
                req("to", point(), "centre of the target"),
                req("target", word(&["squadron", "card", "point"]), "what the target is"),
            ]),
            result: record(vec![
                req("distance", int(0, 10_000_000), "thousandths of a card length"),
                req("lengths", int(0, 10_000), "card lengths, rounded up"),
                req("on_card", bool(), "whether it is over the card"),
                req("touching", bool(), "whether two squadrons touch"),
                req("within_1", bool(), "within 1 length"),
                req("within_2", bool(), "within 2 lengths"),
                req("within_3", bool(), "within 3 lengths"),
                req("within_6", bool(), "within 6 lengths"),
            ]),
            rules: &[rule::MEASURING, rule::R_1, rule::R_2, rule::R_5, rule::C_4],
        }
    }

    fn check(&self, _: &MeasureInput) -> Result<(), Refusal> {
        Ok(())
    }

    fn run(&self, input: &MeasureInput, ask: &mut impl Ask) -> Result<MeasureOutput, Halt> {
        let geometry = &self.0.geometry;
        let distance = match input.target {
            Aim::Squadron => geometry.to_squadron(input.from, input.to),
            Aim::Card => geometry.to_card(input.from, input.to),
            Aim::Point => input.from.ceil_dist(input.to),
        };
        ask.note(|| {
            let rules: &[flagplot_kernel::Rule] = match input.target {
                Aim::Squadron => &[rule::MEASURING, rule::R_2, rule::C_4],
                Aim::Card => &[rule::MEASURING, rule::R_1, rule::R_5, rule::C_4],
                Aim::Point => &[rule::MEASURING],
            };
            Note::new("distance", format!("{distance} thousandths of a card length.")).by(rules).outcome(distance)
        });
        let within = |lengths: i64| distance <= lengths * LENGTH;
        Ok(MeasureOutput {
            distance,
            lengths: (distance + LENGTH - 1) / LENGTH,
            on_card: input.target == Aim::Card && distance == 0,
            touching: input.target == Aim::Squadron && geometry.touch(input.from, input.to),
            within_1: within(1),
            within_2: within(2),
            within_3: within(3),
            within_6: within(6),
        })
    }
}

/// A squadron somewhere.
#[derive(Deserialize)]
pub struct Placed {
    id: String,
    at: Point,
}

/// The groups of squadrons as sorted lists of ids, sorted.
fn groups(book: &Book, squadrons: &[Placed]) -> Vec<Vec<String>> {
    let labels = book.geometry.components(&squadrons.iter().map(|squadron| squadron.at).collect::<Vec<_>>());
    let mut groups: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (squadron, label) in squadrons.iter().zip(labels) {
        groups.entry(label).or_default().push(squadron.id.clone());
    }
    let mut groups: Vec<Vec<String>> = groups.into_values().collect();
    for group in &mut groups {
        group.sort();
    }
    groups.sort();
    groups
}

/// Who is in a group with whom.
pub struct Groups(pub Arc<Book>);

#[derive(Deserialize)]
pub struct GroupsInput {
    blue: Vec<Placed>,
    red: Vec<Placed>,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub struct GroupsOutput {
    blue: Vec<Vec<String>>,
    red: Vec<Vec<String>>,
}

impl OldProcedure for Groups {
    type Input = GroupsInput;
    type Output = GroupsOutput;

    fn about(&self) -> About {
        let groups = || list(list(text(ID), 1, 12), 0, 12);
        About {
            name: "groups",
            help: "Sorts squadrons into groups that touch.",
            dice: "none",
            input: record(vec![
                or("blue", squadron_at(12, 0), json!([]), "Blue squadrons"),
                or("red", squadron_at(12, 0), json!([]), "Red squadrons"),
            ]),
            result: record(vec![req("blue", groups(), "Blue groups"), req("red", groups(), "Red groups")]),
            rules: &[rule::GROUPS, rule::R_2, rule::R_3],
        }
    }

    fn check(&self, input: &GroupsInput) -> Result<(), Refusal> {
        check_ids(input.blue.iter().chain(&input.red).map(|squadron| squadron.id.as_str()))
    }

    fn run(&self, input: &GroupsInput, ask: &mut impl Ask) -> Result<GroupsOutput, Halt> {
        ask.note(|| {
            Note::new("groups", format!("Centres at most {} apart touch, friends only.", self.0.geometry.touch)).by(&[
                rule::GROUPS,
                rule::R_2,
                rule::R_3,
            ])
        });
        Ok(GroupsOutput { blue: groups(&self.0, &input.blue), red: groups(&self.0, &input.red) })
    }
}

/// A walk up to the first contact.
pub struct Path(pub Arc<Book>);

#[derive(Deserialize)]
struct Card {
    id: String,
    at: Point,
    real: bool,
}

#[derive(Deserialize)]
pub struct PathInput {
    movers: Vec<Placed>,
    path: Vec<Point>,
    allowance: i64,
    enemies: Vec<Placed>,
    cards: Vec<Card>,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub struct PathOutput {
    length: i64,
    flown: i64,
    paused: bool,
    contact: Vec<Vec<String>>,
    at: BTreeMap<String, Point>,
    aa_targets: Vec<String>,
    cards_detected: Vec<String>,
}

impl OldProcedure for Path {
    type Input = PathInput;
    type Output = PathOutput;

    fn about(&self) -> About {
        let card = record(vec![
            req("id", text(ID), "name"),
            req("at", point(), "centre"),
            req("real", bool(), "whether it is the carrier group"),
        ]);
        About {
            name: "path",
            help: "Walks a path up to the first contact.",
            dice: "none",
            input: record(vec![
                req("movers", squadron_at(12, 1), "the moving squadrons, the lead first"),
                req("path", list(point(), 1, MOST_WAYPOINTS), "waypoints of the lead"),
                req("allowance", int(0, 6000), "the most that may be flown"),
                or("enemies", squadron_at(12, 0), json!([]), "enemy squadrons"),
                or("cards", list(card, 0, 2), json!([]), "undetected enemy carrier cards"),
            ]),
            result: record(vec![
                req("length", int(0, 100_000), "length of the path"),
                req("flown", int(0, 100_000), "length flown"),
                req("paused", bool(), "whether contact stopped it"),
                req("contact", list(list(text(ID), 1, 12), 0, 12), "groups met"),
                req("at", map(point(), 12), "where the movers are"),
                req("aa_targets", list(text(ID), 0, 12), "movers under fire"),
                req("cards_detected", list(text(ID), 0, 2), "cards detected in passing"),
            ]),
            rules: &[rule::MOVE, rule::INTERCEPT, rule::AA_FIRE, rule::DETECT, rule::R_27],
        }
    }

    fn check(&self, input: &PathInput) -> Result<(), Refusal> {
        check_ids(
            input
                .movers
                .iter()
                .chain(&input.enemies)
                .map(|squadron| squadron.id.as_str())
                .chain(input.cards.iter().map(|card| card.id.as_str())),
        )?;
        let length = self.path(input).length(input.movers[0].at);
        if length > input.allowance {
            return Err(Refusal::new(
                "path-too-long",
                format!("The path is {length} thousandths of a card length; {} are allowed.", input.allowance),
            )
            .by(rule::MOVE));
        }
        Ok(())
    }

    fn run(&self, input: &PathInput, ask: &mut impl Ask) -> Result<PathOutput, Halt> {
        let geometry = &self.0.geometry;
        let path = self.path(input);
        let groups = groups(&self.0, &input.enemies);
        let squadrons: Vec<(Point, u8)> = input
            .enemies
            .iter()
            .map(|enemy| (enemy.at, groups.iter().position(|group| group.contains(&enemy.id)).unwrap_or(0) as u8))
            .collect();
        let guns: Vec<Point> = input.cards.iter().filter(|card| card.real).map(|card| card.at).collect();
        let everybody = (1u16 << input.movers.len()) - 1;
        let mut hidden: Vec<&Card> = input.cards.iter().collect();
        let mut fired = 0u16;
        let mut movers: Vec<Point> = input.movers.iter().map(|mover| mover.at).collect();
        let mut course = Course::new(movers[0], path);
        let mut detected: Vec<String> = Vec::new();
        let mut under_fire: Vec<String> = Vec::new();
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
                let (seen, unseen): (Vec<_>, Vec<_>) =
                    hidden.into_iter().enumerate().partition(|(at, _)| near[*at] != 0);
                hidden = unseen.into_iter().map(|(_, card)| card).collect();
                for (_, card) in seen {
                    detected.push(card.id.clone());
                    ask.note(|| {
                        Note::new("card-detected", format!("{} is detected in passing.", card.id))
                            .by(&[rule::DETECT])
                            .pieces([&card.id])
                    });
                }
                continue;
            }
            let stop = stride(geometry, &mut course, &mut movers, &hazards);
            if stop.contact != 0 {
                // Cards are looked at before contact, also at the step of the contact itself; guns after it, and the walk stops there.
                detected.extend(
                    hidden.iter().enumerate().filter(|(at, _)| stop.near[*at] != 0).map(|(_, card)| card.id.clone()),
                );
                break stop.contact;
            }
            let ending = stop.ended && course.flown > 0;
            for (at, mover) in input.movers.iter().enumerate() {
                let over = guns.iter().any(|card| geometry.on_card(movers[at], *card));
                if fired & (1 << at) == 0 && (stop.entered & (1 << at) != 0 || (ending && over)) {
                    fired |= 1 << at;
                    under_fire.push(mover.id.clone());
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
            length: path.length(input.movers[0].at),
            flown: course.flown,
            paused: contact != 0,
            contact: met,
            at: input.movers.iter().zip(&movers).map(|(mover, at)| (mover.id.clone(), *at)).collect(),
            aa_targets: under_fire,
            cards_detected: detected,
        })
    }
}

impl Path {
    fn path(&self, input: &PathInput) -> Waypoints {
        input.path.as_slice().into()
    }
}
