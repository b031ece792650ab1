//! How set-up, actions, numbers and stances are asked for on a screen.

use super::absent::{absent, absent_squadrons, no_markers};
use super::action::{Action, lengths};
use super::choices::{ChooseAction, DetectionNumber, Number, ShedChoice, StrikeNextAnswer, StrikeNextChoice};
use super::forms::{Laid, each, item, place, placeholder, shared};
use super::piece::{SquadronId, Squads, how_many};
use super::search::searched_by;
use super::setup_choices::{Arming, CardsLaid, SetupCards, SetupDeployed, SetupRoles};
use super::stances::{Encounter, StanceAnswer, StanceChoice};
use crate::combat::{in_order, spread};
use crate::geometry::compass;
use crate::rule;
use crate::words::{Role, Skill, Stance};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Candidate, Decision, Form, Prompt, Region, Screen};

impl Screen for SetupCards<'_> {
    fn prompt(&self) -> Prompt {
        let text = if self.hidden() {
            "Where do you lay your two cards, and which is your carrier group?"
        } else {
            "Where on your home edge do you lay your carrier group?"
        };
        let prompt = Prompt::new("setup-cards", text, if self.hidden() { rule::R_8 } else { rule::C_8 }).confirm();
        let (edge, ahead) = (self.laid(0, self.game.book.geometry.area_width), Point::new(0, self.home() + 1));
        let elsewhere = ("Cards off the home edge".to_owned(), self.check(&CardsLaid { real: ahead, ..edge }));
        let alone = (self.hidden().then_some("One card alone"), CardsLaid { decoy: None, ..edge });
        let with_decoy = ((!self.hidden()).then_some("A decoy"), CardsLaid { decoy: Some(ahead), ..edge });
        let others =
            [alone, with_decoy].into_iter().filter_map(|(what, laid)| Some((what?.to_owned(), self.check(&laid))));
        absent(prompt, std::iter::once(elsewhere).chain(others))
    }

    fn candidates(&self) -> Vec<Candidate<CardsLaid>> {
        let width = self.game.book.geometry.area_width;
        let spots = [(width / 6, "In the west"), (width / 2, "In the centre"), (width * 5 / 6, "In the east")];
        if !self.hidden() {
            return spots.map(|(x, where_)| Candidate::new(self.laid(x, 0), where_)).into();
        }
        let mut all = Vec::new();
        for (real, where_) in spots {
            for (apart, label) in [(-5000, "5 W"), (-3000, "3 W"), (3000, "3 E"), (5000, "5 E")] {
                if (0..=width).contains(&(real + apart)) {
                    let (lengths, way) = label.split_at(1);
                    let label = format!("{where_}, decoy {lengths} lengths{way}");
                    all.push(Candidate::new(self.laid(real, real + apart), label));
                }
            }
        }
        all
    }

    fn form(&self) -> Form {
        let (width, home) = (self.game.book.geometry.area_width, self.home());
        let edge = Region::Line { from: [0, home], to: [width, home] };
        let card = |label: &str, what, x| {
            place(label, self.game.card_to_lay(self.side, what, self.hidden(), Point::new(x, home)), vec![edge.clone()])
        };
        let mut places = vec![card("Carrier group", Laid::Real, if self.hidden() { width / 3 } else { width / 2 })];
        if self.hidden() {
            places.push(card("Decoy", Laid::Decoy, width * 2 / 3));
        }
        Form::Parts { template: each(places.iter().map(|place| place.id.as_str())), places, items: Vec::new() }
    }
}

impl Screen for SetupRoles<'_> {
    fn prompt(&self) -> Prompt {
        let armed = self.game.scenario.sheet(self.side).must_be_armed;
        let or_not = if armed { "" } else { ", or only refuelled" };
        let prompt = Prompt::new(
            "setup-roles",
            format!("Do your squadrons start as fighters or for strikes{or_not}?"),
            rule::C_6,
        )
        .confirm();
        let tried = self.combat().flat_map(|id| {
            [Arming::Fighter, Arming::Refuelled]
                .map(|arming| (format!("{id} {}", arming.words()), self.may_start(id, arming)))
        });
        absent(prompt, tried)
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        let able = self.combat().filter(|id| !self.game.kamikaze.has(*id)).count();
        (0..=able)
            .map(|fighters| {
                let arming = self.with_fighters(fighters);
                let names: Squads =
                    arming.iter().filter(|(_, arming)| **arming == Arming::Fighter).map(|(id, _)| *id).collect();
                let rest = if names.count() < arming.len() { ", the others for strikes" } else { "" };
                let label = if fighters == 0 {
                    "Arm all for strikes".to_owned()
                } else {
                    format!("Arm {} as fighters{rest}", names.names())
                };
                Candidate::new(arming, label)
            })
            .collect()
    }

    fn form(&self) -> Form {
        let items = self
            .combat()
            .map(|id| {
                item(
                    id.id(),
                    id.to_string(),
                    self.choices(id).into_iter().map(|arming| (arming, arming.words().to_owned(), Vec::new())),
                )
            })
            .collect();
        Form::Parts { places: Vec::new(), items, template: each(self.combat().map(SquadronId::id)) }
    }
}

impl Screen for SetupDeployed<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new(
            "setup-deployed",
            format!("Where does {} start in the air, {} lengths from the enemy card?", self.id, lengths(self.distance)),
            rule::C_8,
        )
    }

    fn candidates(&self) -> Vec<Candidate<Point>> {
        let label = |point: Point| format!("{} of the card", compass(point - self.card));
        self.spots().into_iter().map(|point| Candidate::new(point, label(point))).collect()
    }

    fn form(&self) -> Form {
        let start = self.spots().first().copied().unwrap_or(self.card);
        let around = self.game.around_card(self.card, self.distance - 10, self.distance);
        let spot =
            place(format!("Start of {}", self.id), self.game.die_to_put(self.table, self.id, start), vec![around]);
        Form::Choices {
            ways: vec![
                ("Pick a spot".into(), Form::Pick),
                (
                    "Any point".into(),
                    Form::Parts { places: vec![spot], items: Vec::new(), template: placeholder(self.id.id()) },
                ),
            ],
        }
    }
}

impl Screen for ChooseAction<'_> {
    fn prompt(&self) -> Prompt {
        let prompt =
            Prompt::new("choose-action", format!("Turn {}: what do you do?", self.table.turn), rule::TURN_SEQUENCE);
        self.game.explain_absent(self.table, self.side, prompt)
    }

    fn candidates(&self) -> Vec<Candidate<Action>> {
        self.game.action_candidates(self.table, self.side)
    }

    fn form(&self) -> Form {
        self.game.action_form(self.table, self.side)
    }
}

impl Screen for DetectionNumber<'_> {
    fn prompt(&self) -> Prompt {
        let text = format!("{} searches for {}. Which secret number do you play?", searched_by(self.by), self.target);
        Prompt::new("detection-number", text, rule::DETECT)
    }

    fn candidates(&self) -> Vec<Candidate<Number>> {
        (1..=4).map(|number| Candidate::new(Number(number), number.to_string())).collect()
    }
}

impl Screen for StrikeNextChoice<'_> {
    fn prompt(&self) -> Prompt {
        let enemy = self.table.other();
        let hits = self.table.carriers[enemy].hits;
        let prompt = Prompt::new(
            "strike-next",
            format!(
                "Which squadron attacks next? The carrier group has {} and {}.",
                how_many(hits, "hit", "hits"),
                how_many(self.game.aa[enemy][usize::from(hits.min(8))], "anti-aircraft point", "anti-aircraft points")
            ),
            rule::R_60,
        );
        let squadrons = self.table.action.squadrons.iter().copied();
        let rest = squadrons.filter(|id| self.table[*id].up() && !self.able.has(*id));
        absent_squadrons(prompt, rest.map(|id| (id, self.check(&StrikeNextAnswer { strike: Some(id) }))), "attacks")
    }

    fn candidates(&self) -> Vec<Candidate<StrikeNextAnswer>> {
        let mut all: Vec<_> = self
            .able
            .iter()
            .map(|id| Candidate::new(StrikeNextAnswer { strike: Some(id) }, format!("Attack with {id}")).at([id.id()]))
            .collect();
        all.push(Candidate::new(StrikeNextAnswer { strike: None }, "Stop attacking"));
        all
    }
}

impl Screen for ShedChoice<'_> {
    fn prompt(&self) -> Prompt {
        let (aircraft, scouts) = self.game.excess(self.table, self.side);
        Prompt::new(
            "shed",
            format!(
                "Your carrier group is crippled and has no room for {aircraft} aircraft and {}. Which are lost?",
                how_many(scouts, "scout", "scouts")
            ),
            rule::R_15,
        )
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        vec![Candidate::new(self.by(spread), "Spread evenly"), Candidate::new(self.by(in_order), "In order")]
    }

    fn form(&self) -> Form {
        let (aircraft, scouts) = self.game.excess(self.table, self.side);
        shared(self.table, self.aboard(), i64::from(aircraft) + i64::from(scouts))
    }
}

impl Screen for StanceChoice<'_> {
    fn prompt(&self) -> Prompt {
        let (own, enemy) = self.squadrons();
        let (text, rule) = match self.encounter {
            Encounter::Combat { .. } => (format!("{} against {}", own.names(), enemy.names()), rule::AIR_COMBAT),
            _ if own.is_empty() => (format!("Your guns fire at {}", enemy.names()), rule::AA_FIRE),
            Encounter::Strike(id) => (format!("{id} attacks the carrier group"), rule::STRIKE_ATTACK),
            Encounter::Flak(id) => (format!("{id} is under fire"), rule::AA_FIRE),
        };
        let prompt = Prompt::new("stance", format!("{text}. Which secret stance do you take?"), rule);
        // A side with skilled pilots looks for its markers.
        let skilled =
            [Role::Fighter, Role::Strike].into_iter().any(|role| self.game.skill(self.side, role) != Skill::None);
        if !skilled || self.skill() != Skill::None {
            prompt
        } else if own.is_empty() {
            no_markers(prompt, "gun crews have none, only pilots do.")
        } else {
            no_markers(prompt, "the least skilled pilots in the combat count, and they have none.")
        }
    }

    fn candidates(&self) -> Vec<Candidate<StanceAnswer>> {
        let mut all = Vec::new();
        let skill = self.skill();
        for stance in Stance::ALL {
            for red in 0..=skill.markers() {
                let answer = self.with(stance, red);
                let label = if skill == Skill::None {
                    stance.to_string()
                } else {
                    format!("{stance} with {} red and {} blue", answer.markers.red, answer.markers.blue)
                };
                all.push(Candidate::new(answer, label));
            }
        }
        all
    }
}
