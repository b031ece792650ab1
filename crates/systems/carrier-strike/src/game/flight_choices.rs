//! What players are asked while something moves: paths, carriers, sliding, contact.

use super::CarrierGame;
use super::absent::{absent_lines, absent_squadrons};
use super::forms::{CORNERS, along, coming, placeholder};
use super::piece::{CardId, Order, SquadronId, Squads};
use super::state::{ActKind, State};
use crate::geometry::{COMPASS, COMPASS_NAMES, GivingWay, comes_no_nearer};
use crate::rule;
use crate::walk::Waypoints;
use crate::words::Role;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Candidate, Chance, Choice, Decision, Form, Prompt, Refusal, Screen, Seat, Side};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// A path, or none to stay or stop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PathAnswer {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squadrons: Option<Order>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Waypoints>,
}

/// What a path is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathUse {
    AfterSearch,
    Resume,
    AfterStrike,
}

pub(super) struct PathChoice<'a> {
    pub game: &'a CarrierGame,
    pub state: &'a State,
    pub side: Side,
    pub squadrons: &'a [SquadronId],
    pub allowance: i64,
    pub purpose: PathUse,
}

impl PathChoice<'_> {
    /// Whether the path must lead to the enemy card.
    fn to_card(&self) -> Option<Point> {
        if self.purpose == PathUse::Resume && self.state.act.kind == ActKind::Strike {
            self.game.strike_target(self.state, self.side)
        } else {
            None
        }
    }

    fn legal(&self, to: Point) -> Option<PathAnswer> {
        let answer = PathAnswer { squadrons: None, path: Some(Waypoints::to(to)) };
        self.check(&answer).is_ok().then_some(answer)
    }
}

impl Decision for PathChoice<'_> {
    type Value = PathAnswer;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &PathAnswer) -> Result<(), Refusal> {
        let Some(path) = &value.path else {
            return Ok(());
        };
        let squadrons = value.squadrons.as_deref().unwrap_or(self.squadrons);
        let set: Squads = squadrons.iter().copied().collect();
        if value.squadrons.is_some() && self.purpose != PathUse::Resume && squadrons != self.squadrons {
            return Err(Refusal::new("not-touching", "All squadrons of the group fly together here.").by(rule::MOVE));
        }
        if set.is_empty() || set.count() != squadrons.len() || squadrons.iter().any(|id| !self.squadrons.contains(id)) {
            return Err(Refusal::new("not-deployed", "Only squadrons that still take part can fly on.").by(rule::R_27));
        }
        self.game.path(self.state, squadrons, path, self.allowance)?;
        if self.purpose == PathUse::Resume && self.game.meets_forbidden(self.state, squadrons, path) {
            return Err(Refusal::new(
                "contact-forbidden",
                "The group that gave way may not be approached again in this action.",
            )
            .by(rule::R_27));
        }
        if self.to_card().is_some_and(|card| !self.game.ends_at_card(self.state, squadrons, path, card)) {
            return Err(Refusal::new("not-at-the-card", "The strike must end with a die touching the carrier card.")
                .by(rule::STRIKE));
        }
        Ok(())
    }
}

impl Screen for PathChoice<'_> {
    fn prompt(&self) -> Prompt {
        let names = self.squadrons.iter().map(|id| id.name()).collect::<Vec<_>>().join(", ");
        match self.purpose {
            PathUse::AfterSearch => Prompt::new("path", format!("Choose a path for {names}, or stay."), rule::R_75),
            PathUse::Resume => {
                let prompt = Prompt::new(
                    "resume",
                    format!("Go on with {names} (up to {} thousandths), or stop.", self.allowance),
                    rule::R_27,
                );
                // A strike that goes on has only one place to go to.
                let aside = self
                    .to_card()
                    .and_then(|_| self.squadrons.first())
                    .map(|lead| PathAnswer { squadrons: None, path: Some(Waypoints::to(self.state[*lead].pos)) });
                match aside.map(|answer| self.check(&answer)) {
                    Some(Err(refusal)) => prompt.missing(format!("any other path: {refusal}")),
                    _ => prompt,
                }
            }
            PathUse::AfterStrike => Prompt::new(
                "after-strike",
                format!("Choose a path for {names} after the strike, or stay."),
                rule::STRIKE,
            ),
        }
    }

    fn candidates(&self) -> Vec<Candidate<PathAnswer>> {
        let mut all =
            vec![Candidate::new(PathAnswer::default(), if self.purpose == PathUse::Resume { "stop" } else { "stay" })];
        let Some(lead) = self.squadrons.first() else { return all };
        if let Some(card) = self.to_card() {
            let to = self.game.straight_to_card(self.state, self.squadrons, card);
            all.extend(self.legal(to).map(|answer| Candidate::new(answer, "go on to the card")));
            return all;
        }
        let paths = self.game.destinations(self.state, self.side, self.squadrons, self.allowance);
        let answers = paths.into_iter().map(|(path, label)| (PathAnswer { squadrons: None, path: Some(path) }, label));
        all.extend(
            answers
                .filter(|(answer, _)| self.check(answer).is_ok())
                .map(|(answer, label)| Candidate::new(answer, label).at([lead.name()])),
        );
        all
    }

    fn form(&self) -> Form {
        let mut ways = vec![("one of these".to_owned(), Form::Pick)];
        let path = |lead: &SquadronId, items, template| Form::Points {
            piece: Some(lead.to_string()),
            max: CORNERS,
            reach: Some(self.allowance),
            items,
            template,
        };
        ways.extend(
            self.squadrons
                .first()
                .map(|lead| ("a path of your own".to_owned(), path(lead, Vec::new(), json!({"path": "$points"})))),
        );
        // Of a group that goes on, some may stay behind.
        let all: Squads = self.squadrons.iter().copied().collect();
        for lead in self.squadrons.iter().filter(|_| self.purpose == PathUse::Resume && all.count() > 1) {
            let others: Vec<SquadronId> = all.without(Squads::one(*lead)).iter().collect();
            let items = others.iter().map(|id| along(*id, "comes along", "stops")).collect();
            ways.push((
                format!("{lead} and some of the others"),
                path(lead, items, json!({"squadrons": coming(all, *lead, &others), "path": "$points"})),
            ));
        }
        Form::Choices { ways }
    }
}

impl Choice for PathChoice<'_> {
    fn sample(&self, chance: &mut Chance) -> PathAnswer {
        if let Some(card) = self.to_card() {
            let to = self.game.straight_to_card(self.state, self.squadrons, card);
            return if chance.below(4) == 0 { PathAnswer::default() } else { self.legal(to).unwrap_or_default() };
        }
        if chance.below(3) == 0 || self.allowance < 1 {
            return PathAnswer::default();
        }
        self.game
            .sample_point(self.state, self.squadrons, self.allowance, chance)
            .and_then(|to| self.legal(to))
            .unwrap_or_default()
    }

    fn instinct(&self, chance: &mut Chance) -> PathAnswer {
        if let Some(card) = self.to_card() {
            return self.legal(self.game.straight_to_card(self.state, self.squadrons, card)).unwrap_or_default();
        }
        self.game
            .instinct_path(self.state, self.side, self.squadrons, self.allowance, chance)
            .and_then(|to| self.legal(to))
            .unwrap_or_default()
    }
}

/// Where the cards go; nowhere to stay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CvMoveAnswer {
    #[serde(default)]
    pub to: BTreeMap<CardId, Point>,
}

pub(super) struct CvMoveChoice<'a> {
    pub game: &'a CarrierGame,
    pub state: &'a State,
    pub side: Side,
}

impl Decision for CvMoveChoice<'_> {
    type Value = CvMoveAnswer;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &CvMoveAnswer) -> Result<(), Refusal> {
        if value.to.is_empty() { Ok(()) } else { self.game.cv_move(self.state, self.side, &value.to) }
    }
}

impl Screen for CvMoveChoice<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new("path", "Choose where the carriers steam, or stay.", rule::R_75)
    }

    fn candidates(&self) -> Vec<Candidate<CvMoveAnswer>> {
        let mut all = vec![Candidate::new(CvMoveAnswer::default(), "stay")];
        all.extend(
            self.game
                .cv_moves(self.state, self.side)
                .into_iter()
                .map(|(to, label)| Candidate::new(CvMoveAnswer { to }, label)),
        );
        all
    }

    fn form(&self) -> Form {
        let (places, to) = self.game.steaming(self.state, self.side);
        Form::Parts { places, items: Vec::new(), template: json!({"to": to}) }
    }
}

impl Choice for CvMoveChoice<'_> {}

/// Whether a die slides off a card or stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SlideAnswer {
    Slide,
    Stay,
}

pub(super) struct SlideChoice {
    pub id: SquadronId,
}

impl Decision for SlideChoice {
    type Value = SlideAnswer;

    fn seat(&self) -> Seat {
        self.id.side().into()
    }

    fn check(&self, _: &SlideAnswer) -> Result<(), Refusal> {
        Ok(())
    }
}

impl Screen for SlideChoice {
    fn prompt(&self) -> Prompt {
        Prompt::new(
            "slide",
            format!("An enemy card now lies under {}: slide off, or stay and draw fire?", self.id),
            rule::R_36,
        )
    }

    fn candidates(&self) -> Vec<Candidate<SlideAnswer>> {
        vec![Candidate::new(SlideAnswer::Slide, "slide off").at([self.id]), Candidate::new(SlideAnswer::Stay, "stay")]
    }
}

impl Choice for SlideChoice {
    fn instinct(&self, _: &mut Chance) -> SlideAnswer {
        SlideAnswer::Slide
    }
}

/// What a group that is met does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "contact", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum ContactAnswer {
    Intercept { squadrons: Order },
    GiveWay { line: Point },
}

pub(super) struct ContactChoice<'a> {
    pub game: &'a CarrierGame,
    pub state: &'a State,
    pub side: Side,
}

/// Whether a line is short enough to be measured at all.
pub(super) fn modest(line: Point) -> bool {
    line.x.abs() <= 100_000 && line.y.abs() <= 100_000
}

impl ContactChoice<'_> {
    /// Fighters that can intercept: with fuel, marked or not.
    fn fighters(&self) -> Squads {
        let able = |id: &SquadronId| self.state[*id].role == Some(Role::Fighter) && self.state[*id].rl >= 2;
        self.state.act.enemy.iter().filter(able).collect()
    }

    fn inside(&self, line: Point) -> bool {
        self.state.act.enemy.iter().all(|id| self.game.in_sea_room(self.state[id].pos + line))
    }

    fn allowed(&self, line: Point, how: GivingWay) -> bool {
        self.inside(line)
            && comes_no_nearer(
                &self.state.positions(self.state.act.enemy),
                &self.state.positions(self.state.act.group),
                line,
                how,
            )
    }

    /// How strictly a line is judged: as strictly as leaves one of the compass lines open.
    fn strictness(&self) -> GivingWay {
        let open = |how| COMPASS.iter().any(|line| self.allowed(*line, how));
        [GivingWay::AllAlong, GivingWay::AtTheEnd].into_iter().find(|how| open(*how)).unwrap_or(GivingWay::Anywhere)
    }

    fn lines(&self) -> Vec<(Point, &'static str)> {
        let how = self.strictness();
        COMPASS
            .iter()
            .zip(COMPASS_NAMES)
            .filter(|(line, _)| self.allowed(**line, how))
            .map(|(line, name)| (*line, name))
            .collect()
    }
}

impl Decision for ContactChoice<'_> {
    type Value = ContactAnswer;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &ContactAnswer) -> Result<(), Refusal> {
        match value {
            ContactAnswer::Intercept { squadrons } => {
                let set: Squads = squadrons.iter().copied().collect();
                if set.is_empty() || set.count() != squadrons.len() || !set.without(self.state.act.enemy).is_empty() {
                    return Err(Refusal::new(
                        "not-deployed",
                        format!("Name fighters among {}.", self.state.act.enemy.names()),
                    )
                    .by(rule::INTERCEPT));
                }
                if let Some(id) = set.without(self.fighters()).first() {
                    return Err(match self.state[id].role {
                        Some(Role::Fighter) => {
                            Refusal::new("fuel-low", format!("Squadron {id} is on RL 1 and cannot intercept."))
                                .by(rule::R_26)
                        }
                        _ => Refusal::new("not-fighters", "Only fighters can intercept.").by(rule::INTERCEPT),
                    });
                }
                Ok(())
            }
            ContactAnswer::GiveWay { line } => {
                if !modest(*line) || line.ceil_dist(Point::default()) != self.game.book.speeds.contact_evasion {
                    return Err(
                        Refusal::new("not-exactly-3", "Giving way must be exactly 3 card lengths.").by(rule::R_42)
                    );
                }
                if !self.inside(*line) {
                    return Err(Refusal::new("out-of-sea-room", "That leads outside the sea room.").by(rule::R_4));
                }
                if !self.allowed(*line, self.strictness()) {
                    return Err(Refusal::new("evasion-too-close", "Giving way must not bring the groups closer.")
                        .by(rule::R_70));
                }
                Ok(())
            }
        }
    }
}

impl Screen for ContactChoice<'_> {
    fn prompt(&self) -> Prompt {
        let prompt = Prompt::new(
            "contact",
            format!(
                "{} are met by {}: intercept, or give way?",
                self.state.act.enemy.names(),
                self.state.act.group.names()
            ),
            rule::R_69,
        );
        let able = self.fighters();
        let rest = self.state.act.enemy.iter().filter(|id| !able.has(*id));
        let prompt = absent_squadrons(
            prompt,
            rest.map(|id| (id, self.check(&ContactAnswer::Intercept { squadrons: [id].into_iter().collect() }))),
            "intercepts",
        );
        absent_lines(
            prompt,
            COMPASS
                .iter()
                .zip(COMPASS_NAMES)
                .map(|(line, name)| (name, self.check(&ContactAnswer::GiveWay { line: *line }))),
        )
    }

    fn candidates(&self) -> Vec<Candidate<ContactAnswer>> {
        let fighters = self.fighters();
        let mut all = Vec::new();
        let name = |set: Squads| {
            Candidate::new(
                ContactAnswer::Intercept { squadrons: set.iter().collect() },
                format!("intercept with {}", set.names()),
            )
            .at(set.iter())
        };
        if !fighters.is_empty() {
            all.push(name(fighters));
        }
        if fighters.count() > 1 {
            all.extend(fighters.iter().map(|id| name(Squads::one(id))));
        }
        all.extend(
            self.lines()
                .into_iter()
                .map(|(line, name)| Candidate::new(ContactAnswer::GiveWay { line }, format!("give way {name}"))),
        );
        all
    }

    fn form(&self) -> Form {
        let mut ways = vec![("one of these".to_owned(), Form::Pick)];
        let fighters = self.fighters();
        if fighters.count() > 2 {
            let template =
                json!({"contact": "intercept", "squadrons": fighters.iter().map(placeholder).collect::<Vec<_>>()});
            let items = fighters.iter().map(|id| along(id, "intercepts", "stays out")).collect();
            ways.push(("intercept with some".into(), Form::Parts { places: Vec::new(), items, template }));
        }
        let start = self.lines().first().map_or(COMPASS[0], |(line, _)| *line);
        let length = self.game.book.speeds.contact_evasion;
        let any = self.game.line_form(
            self.state,
            self.state.act.enemy,
            length,
            start,
            |line| json!({"contact": "give-way", "line": line}),
        );
        ways.extend(any.map(|form| ("give way along any line".to_owned(), form)));
        Form::Choices { ways }
    }
}

impl Choice for ContactChoice<'_> {
    fn listed(&self) -> bool {
        true
    }

    fn instinct(&self, chance: &mut Chance) -> ContactAnswer {
        let fighters = self.fighters();
        let strength = |set: Squads| set.iter().map(|id| i64::from(self.state[id].last_seen)).sum::<i64>();
        // Bombers and scouts are worth meeting; fighters only at even strength.
        let foes = self.state.act.group;
        let fighters_seen = foes.iter().all(|id| {
            self.state[id].shown_role == Some(Role::Fighter)
                || self.state[id].report.is_some_and(|report| report.class == super::state::Class::Fighters)
        });
        let worth =
            if fighters_seen { strength(fighters) >= strength(foes) } else { strength(fighters) * 2 >= strength(foes) };
        if !fighters.is_empty() && worth {
            return ContactAnswer::Intercept { squadrons: fighters.iter().collect() };
        }
        // Toward home, as far as that goes.
        let home = self.state.carriers[self.side].real_card();
        let from = self.state.act.enemy.first().map_or(Point::default(), |id| self.state[id].pos);
        let lines = self.lines();
        let best = lines.iter().min_by_key(|(line, _)| home.map_or(0, |home| (from + *line).dist2(home)));
        match best {
            Some((line, _)) => ContactAnswer::GiveWay { line: *line },
            None => self.sample(chance),
        }
    }
}
