//! The tables as chart cards.

use crate::data::{AaBonus, Rules};
use crate::geometry::lengths as distance;
use crate::rule;
use crate::words::{Stance, Status};
use flagplot_referee::Chart;

impl Rules {
    /// What players look up.
    pub(crate) fn cards(&self) -> Vec<Chart> {
        let hits = &self.hits_inflicted;
        let shift = |at: usize| match at as i64 - i64::from(hits.start_column) {
            0 => "start".to_owned(),
            shift => format!("{shift:+}"),
        };
        let inflicted = Chart::new("hits-inflicted", "Hits inflicted", rule::HITS_INFLICTED, "", "aircraft for a hit")
            .columns(hits.one_hit_per.map(|aircraft| format!("1 per {aircraft}")))
            .row("shift", (0..hits.one_hit_per.len()).map(shift))
            .note("Add all shifts, move that many columns, and stop at the edge. Drop fractions.");
        let die = Chart::new("die-shift", "Shift of the die", rule::HITS_INFLICTED, "", "die")
            .columns(1..=hits.die_shift.len())
            .row("columns", hits.die_shift.map(|shift| format!("{shift:+}")));
        let card = &self.combat_card;
        let against = Stance::ALL.iter().map(|stance| format!("against {stance}"));
        let mut stances = Chart::new("combat-card", "Combat card", rule::C_1, "stance", "")
            .columns(["aggression".to_owned()].into_iter().chain(against));
        for &own in Stance::ALL {
            let shifts = Stance::ALL.iter().map(|enemy| format!("{:+}", card.shift(own, *enemy)));
            stances = stances.row(own, [card.aggression(own).to_string()].into_iter().chain(shifts));
        }
        let stances = stances.note("Against a stance: the shift of the hits one inflicts.");
        let found = |row: &[bool; 7]| row.map(|found| if found { "found" } else { "–" });
        let detection = Chart::new("detection", "Detection", rule::DETECT, "searcher", "sum of the two secret numbers")
            .columns(2..=8)
            .row("combat-or-cv", found(&self.detection.combat_or_cv))
            .row("recce", found(&self.detection.recce));
        vec![
            inflicted,
            die,
            stances,
            self.shifts_card(),
            self.break_off_card(),
            detection,
            self.carrier_card(),
            self.actions_card(),
            self.reach_card(),
            self.fuel_card(),
        ]
    }

    /// Everything that shifts the column apart from stance and die.
    fn shifts_card(&self) -> Chart {
        let shifts = &self.modifiers;
        let row =
            |chart: Chart, who: &str, when: &str, shift: i8| chart.row(who, [when.to_owned(), format!("{shift:+}")]);
        let mut chart =
            Chart::new("shifts", "Other shifts", rule::AIR_COMBAT, "hits of", "").columns(["when", "columns"]);
        for (who, when, shift) in [
            ("fighters", "the enemy is strike aircraft", shifts.fighters_v_strike),
            ("fighters", "at least half of the enemy is on range 1", shifts.fighters_v_rl_1),
            (
                "strike aircraft, or on range 1",
                "the enemy is fighters; once, even if both hold",
                shifts.strike_or_rl_1_v_fighters,
            ),
            ("skilled pilots", "each red marker of their own", shifts.marker_red),
            ("the enemy of skilled pilots", "each blue marker they play", shifts.marker_blue),
            ("kamikazes", "striking a carrier group", shifts.kamikaze_strike),
            ("anti-aircraft guns", "firing at kamikazes", shifts.aa_v_kamikaze),
        ] {
            chart = row(chart, who, when, shift);
        }
        chart.note("Experienced pilots play one marker in each combat, elite pilots two.")
    }

    fn break_off_card(&self) -> Chart {
        let card = &self.combat_card;
        let guns = match card.aa_break_off_bonus {
            AaBonus::Hits => "and the aircraft just shot down",
            AaBonus::Flat2 => "and 2",
        };
        let needed =
            |own: Stance, enemy: Stance| match card.break_off_at - card.aggression(own) + card.aggression(enemy) {
                low @ ..=1 => format!("any ({low})"),
                die @ 2..=6 => format!("{die} or more"),
                _ => "never".into(),
            };
        let mut chart = Chart::new("break-off", "Driving the enemy off", rule::BREAK_OFF, "own stance", "die needed")
            .columns(Stance::ALL.iter().map(|stance| format!("against {stance}")));
        for &own in Stance::ALL {
            chart = chart.row(own, Stance::ALL.iter().map(|enemy| needed(own, *enemy)));
        }
        chart
            .note(format!(
                "Own die and aggression less the enemy's aggression must come to {} or more; guns add their \
                aggression {guns}.",
                card.break_off_at
            ))
            .note(
                "No squadron breaks off once one side is gone; fighters that attack strike aircraft never do. A \
                strike driven off attacks with half, rounded up.",
            )
    }

    /// A carrier group by the hits it has taken.
    fn carrier_card(&self) -> Chart {
        let hits = 0..self.carrier.aa_by_hits.len() as u8;
        let speed = |hits: u8| match self.carrier.status(hits) {
            Status::Operational => self.speeds.cv.to_string(),
            Status::Crippled => self.speeds.cv_crippled.to_string(),
            Status::Destroyed => "–".into(),
        };
        let room = |hits: u8| self.carrier.room(hits);
        Chart::new("anti-aircraft", "Carrier group", rule::C_2, "", "hits")
            .columns(hits.clone())
            .row("guns", self.carrier.aa_by_hits)
            .row("status", hits.clone().map(|hits| self.carrier.status(hits)))
            .row("speed", hits.clone().map(speed))
            .row("combat aircraft", hits.clone().map(|hits| room(hits).combat_aircraft))
            .row("scouts", hits.map(|hits| room(hits).recce_squadrons))
            .note("A scenario may give a side guns of its own.")
    }

    /// What a side can do in its go.
    fn actions_card(&self) -> Chart {
        let lengths = |n: i64| format!("{n} lengths");
        let way = |most: i64| format!("up to {} lengths", distance(most));
        let ranges = &self.ranges;
        Chart::new("actions", "Actions", rule::TURN_SEQUENCE, "action", "")
            .columns(["who", "how far", "what"])
            .row(
                "move",
                [
                    "squadrons that touch".into(),
                    way(self.speeds.squadron_move),
                    "fly a path; may search before or after it".to_owned(),
                ],
            )
            .row(
                "fly home",
                [
                    "a squadron on range 1".into(),
                    way(self.speeds.squadron_move),
                    "its only action; see the card on fuel".to_owned(),
                ],
            )
            .row(
                "move carriers",
                [
                    "the cards".into(),
                    format!(
                        "up to {} lengths, crippled {}",
                        distance(self.speeds.cv),
                        distance(self.speeds.cv_crippled)
                    ),
                    "or slip away at exactly full speed".to_owned(),
                ],
            )
            .row(
                "launch",
                [
                    "a squadron aboard, refuelled or armed".into(),
                    lengths(ranges.launch),
                    "or a dummy, while the group is undetected".to_owned(),
                ],
            )
            .row("land", ["a squadron".into(), lengths(ranges.land), "alone, as far as there is room".to_owned()])
            .row(
                "refuel",
                ["a landed squadron".into(), String::new(), "scouts refuel by themselves in a full turn".to_owned()],
            )
            .row("re-arm", ["a refuelled squadron".into(), String::new(), "as fighters or for a strike".to_owned()])
            .row(
                "dogfight",
                [
                    "fighters that touch, range 2 or more".into(),
                    lengths(ranges.dogfight),
                    "a detected group; may search for it first".to_owned(),
                ],
            )
            .row(
                "strike",
                [
                    "strike aircraft with escorts, range 2 or more".into(),
                    lengths(ranges.strike),
                    "a detected carrier group".to_owned(),
                ],
            )
            .row(
                "detect",
                [
                    "a squadron or the carriers, once a turn".into(),
                    lengths(ranges.detect),
                    "special: costs the go, not the action".to_owned(),
                ],
            )
            .row(
                "intercept",
                [
                    "fighters that are met, range 2 or more".into(),
                    lengths(ranges.contact),
                    "special: in the enemy's go; or give way".to_owned(),
                ],
            )
            .row(
                "disengage",
                [
                    "a group that slipped away in an earlier turn".into(),
                    String::new(),
                    "special: no enemy near it".to_owned(),
                ],
            )
            .row("pass", ["a side".into(), String::new(), "not while a squadron on range 1 has yet to act".to_owned()])
    }

    fn reach_card(&self) -> Chart {
        let ranges = &self.ranges;
        Chart::new("reaches", "Reaches", rule::R_5, "", "")
            .columns(["card lengths"])
            .row("detected without numbers", [ranges.automatic_detection])
            .row("contact", [ranges.contact])
            .row("recce and strike aircraft reached in a dogfight", [ranges.dogfight_reach])
            .row("search, dogfight", [ranges.detect])
            .row("strike, launch, land", [ranges.strike])
            .row("an enemy die keeps a marker on", [ranges.stay_detected_squadron])
            .row("an enemy carrier card keeps it on", [ranges.stay_detected_cv])
            .note("Measured from the centre of the one who acts to the nearest part of the other.")
    }

    fn fuel_card(&self) -> Chart {
        let land = self.ranges.land;
        Chart::new("fuel", "On range 1", rule::FUEL, "distance home", "")
            .columns(["aircraft lost", "then"])
            .row(format!("up to {land}"), ["none", "lands"])
            .row(
                format!("more than {land}"),
                [format!("one for each length beyond {land}, rounded up"), "flies straight home".to_owned()],
            )
            .row(format!("up to {land}, after such a flight"), ["one for each length, rounded up", "lands"])
            .row(format!("more than {land}, after such a flight"), ["all", ""])
            .row("no carriers in play", ["all", ""])
            .note(format!(
                "A combat squadron starts at {}, a scout at {}; every die drops by one at the end of a turn, \
                except on the turn of its launch, and by one after a dogfight.",
                self.squadron.combat_range, self.squadron.recce_range
            ))
    }
}
