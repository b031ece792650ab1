//! How set-up, actions, numbers and stances are asked for on a screen.

use super::action::Action;
use super::choices::{ChooseAction, ShedChoice};
use super::forms::{Laid, each, item, place, placeholder, shared};
use super::missing::{missing, no_markers};
use super::piece::{SquadronId, Squads};
use super::refusals::Count;
use super::setup_choices::{Arming, CardsLaid, SetupCards, SetupDeployed, SetupRoles};
use super::stances::{Encounter, StanceAnswer, StanceChoice};
use crate::combat::{in_order, spread};
use crate::geometry::{compass, lengths};
use crate::rule;
use crate::words::{Role, Skill, Stance};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Candidate, Decision, Form, FormSum, Prompt, Region, Screen};

impl Screen for SetupCards<'_> {
    fn prompt(&self) -> Prompt {
        let text = if self.hidden() {
            "Where do you lay your two cards, and which is your carrier group?"
        } else {
            "Where on your home edge do you lay your carrier group?"
        };
        let prompt = Prompt::new("setup-cards", text, if self.hidden() { rule::R_8 } else { rule::C_8 }).confirm();
        let (edge, ahead) = (self.laid(0, self.game.rules.geometry.area_width), Point::new(0, self.home() + 1));
        let elsewhere = ("Cards off the home edge".to_owned(), self.check(&CardsLaid { real: ahead, ..edge }));
        let alone = (self.hidden().then_some("One card alone"), CardsLaid { decoy: None, ..edge });
        let with_decoy = ((!self.hidden()).then_some("A decoy"), CardsLaid { decoy: Some(ahead), ..edge });
        let others =
            [alone, with_decoy].into_iter().filter_map(|(what, laid)| Some((what?.to_owned(), self.check(&laid))));
        missing(prompt, std::iter::once(elsewhere).chain(others))
    }

    fn candidates(&self) -> Vec<Candidate<CardsLaid>> {
        if !self.hidden() {
            let width = self.game.rules.geometry.area_width;
            let spots = [(width / 6, "In the west"), (width / 2, "In the centre"), (width * 5 / 6, "In the east")];
            return spots.map(|(x, place)| Candidate::new(self.laid(x, 0), place)).into();
        }
        // Every pair comes both ways, so that where a card lies tells nothing.
        let ways = |([west, east], place): ([i64; 2], String)| {
            [(west, east, "western"), (east, west, "eastern")].map(|(real, decoy, which)| {
                Candidate::new(self.laid(real, decoy), format!("{place}, the {which} card real"))
            })
        };
        self.pairs().into_iter().flat_map(ways).collect()
    }

    fn form(&self) -> Form {
        let (width, home) = (self.game.rules.geometry.area_width, self.home());
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
        missing(prompt, tried)
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        let able = self.able();
        (0..=able.count())
            .map(|count| {
                let fighters: Squads = able.iter().take(count).collect();
                let rest = if count < self.combat().count() { ", the others for strikes" } else { "" };
                let label = match count {
                    0 => "Arm all for strikes".to_owned(),
                    _ => format!("Arm {fighters} as fighters{rest}"),
                };
                Candidate::new(self.armed(fighters), label)
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
        let (text, rule) = if self.game.can_only_pass(self.table, self.side) {
            let why = "You are asked anyway, so that your opponent cannot tell what you have left.";
            (format!("you can only pass. {why}"), rule::R_68)
        } else {
            ("what do you do?".to_owned(), rule::TURN_SEQUENCE)
        };
        let prompt = Prompt::new("choose-action", format!("Turn {}: {text}", self.table.turn), rule);
        self.game.explain_absent(self.table, self.side, prompt)
    }

    fn candidates(&self) -> Vec<Candidate<Action>> {
        self.game.action_candidates(self.table, self.side)
    }

    fn form(&self) -> Form {
        self.game.action_form(self.table, self.side)
    }
}

impl Screen for ShedChoice<'_> {
    fn prompt(&self) -> Prompt {
        let (aircraft, scouts) = self.game.excess(self.table, self.side);
        if (aircraft, scouts) == (0, 0) {
            let text = "Your carrier group is crippled, and there is room for everything aboard. You are asked all the \
                        same, so that the other side does not learn how much was aboard.";
            return Prompt::new("shed", text, rule::R_68);
        }
        Prompt::new(
            "shed",
            format!(
                "Your carrier group is crippled and has no room for {aircraft} aircraft and {}. Which are lost?",
                Count(scouts, "scout")
            ),
            rule::R_15,
        )
    }

    fn candidates(&self) -> Vec<Candidate<Self::Value>> {
        vec![Candidate::new(self.by(spread), "Spread evenly"), Candidate::new(self.by(in_order), "In order")]
    }

    fn form(&self) -> Form {
        let (aircraft, scouts) = self.game.excess(self.table, self.side);
        // Scouts have room of their own, so each kind has its own sum.
        let exactly = |label: &str, scout: bool, lost: u8| FormSum {
            label: label.to_owned(),
            items: self.aboard().filter(|id| id.is_recce() == scout).map(|id| id.id().to_owned()).collect(),
            min: lost.into(),
            max: lost.into(),
        };
        let mut form = shared(self.table, self.aboard(), i64::from(aircraft) + i64::from(scouts));
        if let Form::Numbers { total, sums, .. } = &mut form {
            *total = None;
            sums.extend([exactly("Aircraft lost", false, aircraft), exactly("Scouts lost", true, scouts)]);
            sums.retain(|sum| !sum.items.is_empty());
        }
        form
    }
}

impl Screen for StanceChoice<'_> {
    fn prompt(&self) -> Prompt {
        let (own, enemy) = self.squadrons();
        let (text, rule) = match self.encounter {
            Encounter::Combat { .. } => (format!("{} against {}", own, enemy), rule::AIR_COMBAT),
            _ if own.is_empty() => (format!("Your guns fire at {}", enemy), rule::AA_FIRE),
            Encounter::Strike(id) => (format!("{id} attacks the carrier group"), rule::STRIKE_ATTACK),
            Encounter::Flak(id) => (format!("{id} is under fire"), rule::AA_FIRE),
        };
        let prompt =
            Prompt::new("stance", format!("{text}. Which secret stance do you take?"), rule).beside("combat-card");
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
        for &stance in Stance::ALL {
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
