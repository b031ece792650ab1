//! How paths, contacts and dogfights are asked for on a screen.

use super::fight_choices::{AllocateChoice, BreakOffChoice, JoinChoice, MatchChoice, Step3Choice};
use super::flight_choices::{
    ContactAnswer, ContactChoice, CvMoveAnswer, CvMoveChoice, PathAnswer, PathChoice, PathUse,
};
use super::forms::{CORNERS, along, coming, each, item, place, placeholder, shared, within};
use super::missing::{missing, missing_lines, missing_squadrons};
use super::piece::{SquadronId, Squads};
use super::refusals::Count;
use crate::combat::{in_order, spread};
use crate::geometry::{COMPASS, COMPASS_NAMES, lengths_left};
use crate::rule;
use crate::walk::Waypoints;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Candidate, Decision, Form, FormPlace, Prompt, Screen};
use serde_json::json;
use std::collections::BTreeMap;

impl Screen for PathChoice<'_> {
    fn prompt(&self) -> Prompt {
        let names = self.squadrons.iter().copied().collect::<Squads>();
        match self.purpose {
            PathUse::AfterSearch => {
                Prompt::new("path", format!("Where do you fly {names}, or do they stay?"), rule::R_75)
            }
            PathUse::Resume => {
                let prompt = Prompt::new(
                    "resume",
                    format!("{names} can fly {} more lengths. Fly on, or stop?", lengths_left(self.allowance)),
                    rule::R_27,
                );
                // A strike that goes on has only one place to go to.
                let aside = self
                    .to_card()
                    .and_then(|_| self.squadrons.first())
                    .map(|lead| PathAnswer { squadrons: None, path: Some(Waypoints::to(self.table[*lead].pos)) });
                match aside.map(|answer| self.check(&answer)) {
                    Some(Err(refusal)) => prompt.missing(format!("Any other path: {refusal}")),
                    _ => prompt,
                }
            }
            PathUse::AfterStrike => Prompt::new(
                "after-strike",
                format!("Where do you fly {names} after the strike, or do they stay?"),
                rule::STRIKE,
            ),
        }
    }

    fn candidates(&self) -> Vec<Candidate<PathAnswer>> {
        let mut all =
            vec![Candidate::new(PathAnswer::default(), if self.purpose == PathUse::Resume { "Stop" } else { "Stay" })];
        let Some(lead) = self.squadrons.first() else { return all };
        if let Some(card) = self.to_card() {
            let to = self.game.straight_to_card(self.table, self.squadrons, card);
            all.extend(self.legal(to).map(|answer| Candidate::new(answer, "Fly on to the card")));
            return all;
        }
        let paths = self.game.destinations(self.table, self.squadrons, self.allowance, self.flight.met);
        let answers = paths.into_iter().map(|(path, label)| (PathAnswer { squadrons: None, path: Some(path) }, label));
        all.extend(
            answers
                .filter(|(answer, _)| self.check(answer).is_ok())
                .map(|(answer, label)| Candidate::new(answer, label).at([lead.id()])),
        );
        all
    }

    fn form(&self) -> Form {
        let mut ways = vec![("Pick".to_owned(), Form::Pick)];
        let path = |lead: &SquadronId, items, template| Form::Points {
            piece: Some(lead.id().into()),
            max: CORNERS,
            reach: Some(self.allowance),
            items,
            template,
        };
        ways.extend(
            self.squadrons
                .first()
                .map(|lead| ("Draw a path".to_owned(), path(lead, Vec::new(), json!({"path": "$points"})))),
        );
        // Of a group that goes on, some may stay behind.
        let all: Squads = self.squadrons.iter().copied().collect();
        for lead in self.squadrons.iter().filter(|_| self.purpose == PathUse::Resume && all.count() > 1) {
            let others: Vec<SquadronId> = all.without(Squads::one(*lead)).iter().collect();
            let items = others.iter().map(|id| along(*id, "comes along", "stops")).collect();
            ways.push((
                format!("Fly on with {lead} and some of the others"),
                path(lead, items, json!({"squadrons": coming(all, *lead, &others), "path": "$points"})),
            ));
        }
        Form::Choices { ways }
    }
}

impl Screen for CvMoveChoice<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new("path", "Where do the carriers steam, or do they stay?", rule::R_75)
    }

    fn candidates(&self) -> Vec<Candidate<CvMoveAnswer>> {
        let mut all = vec![Candidate::new(CvMoveAnswer::default(), "Stay")];
        all.extend(
            self.game
                .cv_moves(self.table, self.table.phasing)
                .into_iter()
                .map(|(to, label)| Candidate::new(CvMoveAnswer { to }, label)),
        );
        all
    }

    fn form(&self) -> Form {
        let (places, to) = self.game.steaming(self.table, self.table.phasing);
        Form::Parts { places, items: Vec::new(), template: json!({"to": to}) }
    }
}

impl Screen for ContactChoice<'_> {
    fn prompt(&self) -> Prompt {
        let prompt = Prompt::new(
            "contact",
            format!("{} {}. Intercept, or give way?", self.movers.doing("meets", "meet"), self.met),
            rule::R_69,
        );
        let able = self.fighters();
        let rest = self.met.iter().filter(|id| !able.has(*id));
        let prompt = missing_squadrons(
            prompt,
            rest.map(|id| (id, self.check(&ContactAnswer::Intercept { squadrons: [id].into_iter().collect() }))),
            "intercepts",
        );
        missing_lines(
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
                format!("Intercept with {}", set),
            )
            .at(set.ids())
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
                .map(|(line, name)| Candidate::new(ContactAnswer::GiveWay { line }, format!("Give way {name}"))),
        );
        all
    }

    fn form(&self) -> Form {
        let mut ways = vec![("Pick".to_owned(), Form::Pick)];
        let fighters = self.fighters();
        if fighters.count() > 2 {
            let template =
                json!({"contact": "intercept", "squadrons": fighters.ids().map(placeholder).collect::<Vec<_>>()});
            let items = fighters.iter().map(|id| along(id, "intercepts", "stays out")).collect();
            ways.push(("Intercept with some".into(), Form::Parts { places: Vec::new(), items, template }));
        }
        let start = self.lines().first().map_or(COMPASS[0], |(line, _)| *line);
        let length = self.game.rules.speeds.contact_evasion;
        let any = self.game.line_form(
            self.table,
            self.met,
            length,
            start,
            |line| json!({"contact": "give-way", "line": line}),
        );
        ways.extend(any.map(|form| ("Give way along any line".to_owned(), form)));
        Form::Choices { ways }
    }
}

impl Screen for MatchChoice {
    fn prompt(&self) -> Prompt {
        let prompt =
            Prompt::new("match", format!("Which of {} fights which of {}?", self.first, self.second), rule::R_33);
        missing(
            prompt,
            self.second.iter().map(|enemy| {
                (format!("All against {enemy}"), self.check(&self.first.iter().map(|id| (id, enemy)).collect()))
            }),
        )
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        let label = |pairs: &Self::Value| {
            pairs.iter().map(|(own, enemy)| format!("{own} against {enemy}")).collect::<Vec<_>>().join(", ")
        };
        (0..self.second.count())
            .map(|turn| self.by_order(turn))
            .map(|pairs| {
                let label = label(&pairs);
                Candidate::new(pairs, label)
            })
            .collect()
    }

    fn form(&self) -> Form {
        against(self.first, self.second, "fights")
    }
}

impl Screen for JoinChoice {
    fn prompt(&self) -> Prompt {
        let prompt = Prompt::new(
            "join",
            format!("Which combats do {} join, against {}?", self.surplus, self.firsts),
            rule::R_33,
        );
        missing(prompt, [("Stay out".to_owned(), self.check(&BTreeMap::new()))])
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        self.firsts
            .iter()
            .map(|enemy| {
                Candidate::new(self.surplus.iter().map(|id| (id, enemy)).collect(), format!("All against {enemy}"))
            })
            .collect()
    }

    fn form(&self) -> Form {
        against(self.surplus, self.firsts, "joins against")
    }
}

impl Screen for AllocateChoice<'_> {
    fn prompt(&self) -> Prompt {
        let hits = Count(self.hits, "hit");
        let prompt = Prompt::new("allocate", format!("How do {} share {hits}?", self.squadrons), rule::AIR_COMBAT);
        let all_on = |id: SquadronId| (format!("All {hits} on {id}"), self.check(&BTreeMap::from([(id, self.hits)])));
        missing(
            prompt,
            self.squadrons.iter().map(all_on).chain([("Fewer hits".to_owned(), self.check(&BTreeMap::new()))]),
        )
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        vec![Candidate::new(self.by(spread), "Spread evenly"), Candidate::new(self.by(in_order), "In order")]
    }

    fn form(&self) -> Form {
        shared(self.table, self.squadrons.iter(), i64::from(self.hits))
    }
}

impl Screen for BreakOffChoice<'_> {
    fn prompt(&self) -> Prompt {
        let prompt = Prompt::new(
            "break-off",
            format!("{} break off by 3 lengths. In which direction?", self.squadrons.doing("must", "must")),
            rule::BREAK_OFF,
        );
        missing_lines(prompt, COMPASS.iter().zip(COMPASS_NAMES).map(|(line, name)| (name, self.check(line))))
    }

    fn candidates(&self) -> Vec<Candidate<Point>> {
        COMPASS
            .iter()
            .zip(COMPASS_NAMES)
            .filter(|(line, _)| self.inside(**line))
            .map(|(line, name)| Candidate::new(*line, name))
            .collect()
    }

    fn form(&self) -> Form {
        let start = COMPASS.into_iter().find(|line| self.inside(*line)).unwrap_or(COMPASS[0]);
        let any = self.game.line_form(self.table, self.squadrons, self.game.rules.speeds.break_off, start, |line| line);
        Form::Choices {
            ways: std::iter::once(("Pick a direction".to_owned(), Form::Pick))
                .chain(any.map(|form| ("Any line".to_owned(), form)))
                .collect(),
        }
    }
}

impl Screen for Step3Choice<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new(
            "step-3-move",
            format!("Where do {} fly, up to 3 lengths each, or do they stay?", self.squadrons),
            rule::R_50,
        )
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        let mut all = vec![Candidate::new(BTreeMap::new(), "Stay")];
        all.extend(self.ways().into_iter().map(|(line, label)| Candidate::new(self.all_by(line), label)));
        all.extend(
            COMPASS
                .iter()
                .zip(COMPASS_NAMES)
                .map(|(line, name)| Candidate::new(self.all_by(*line), format!("All fly {name}"))),
        );
        all
    }

    fn form(&self) -> Form {
        let places = self.squadrons.iter().map(|id| {
            let from = self.table[id].pos;
            let region = within(from, self.game.rules.speeds.step_3_move);
            FormPlace {
                origin: Some(from.into()),
                optional: true,
                ..place(format!("End of {id}"), self.game.die_to_put(self.table, id, from), vec![region])
            }
        });
        Form::Parts { places: places.collect(), items: Vec::new(), template: each(self.squadrons.ids()) }
    }
}

/// A squadron of the others for each of some.
fn against(some: Squads, others: Squads, how: &str) -> Form {
    let options = || others.iter().map(|id| (id, id.to_string(), vec![id.id().to_owned()]));
    Form::Parts {
        places: Vec::new(),
        items: some.iter().map(|id| item(id.id(), format!("{id} {how}"), options())).collect(),
        template: each(some.ids()),
    }
}
