//! Checks of scenarios: every field names what is there and keeps to its limits. [C-35, C-50]

use super::check::distinct;
use super::*;
use crate::geometry::{Heading, base_radius};
use flagplot_kernel::Rule;
use flagplot_kernel::plane::Point;
use std::ops::RangeInclusive;

/// The widest sea, from its middle. [C-43]
const EDGE_MM: i32 = 100_000;
/// The largest squadron. [C-2]
const LARGEST_SQUADRON: usize = 8;
/// The most vessels of a battle: each has a bit in the ledger of collisions.
const MOST_VESSELS: usize = 64;
/// The most stands, squadrons or markers of a battle.
const MOST_OTHERS: usize = 200;

/// A fault of a scenario: what is wrong, and the rule that says so.
type Fault = (String, Rule);

fn wrong(message: impl Into<String>) -> Result<(), Fault> {
    Err((message.into(), rule::C_35))
}

/// A fault of a field that C-50 describes.
fn odd(message: impl Into<String>) -> Result<(), Fault> {
    Err((message.into(), rule::C_50))
}

/// That a number lies within limits.
fn within(what: impl std::fmt::Display, value: i32, limits: RangeInclusive<i32>) -> Result<(), Fault> {
    if limits.contains(&value) {
        return Ok(());
    }
    wrong(format!("{what} is {value}; it must be from {} to {}", limits.start(), limits.end()))
}

/// A vessel of a scenario, as far as the checks need it.
struct Afloat<'a> {
    id: String,
    side: SideName,
    at: Option<(Point, i32)>,
    entry: Option<&'a ShipEntry>,
    /// Stands on land.
    base: Option<BaseKind>,
}

impl Afloat<'_> {
    /// Whether aircraft fly from it.
    fn flies(&self) -> bool {
        self.base == Some(BaseKind::AirBase) || self.entry.is_some_and(|entry| entry.ratings.h > 0)
    }
}

impl Fleet {
    /// Checks one scenario; the error names it.
    pub(crate) fn check_scenario(&self, rules: &Rules, scenario: &Scenario) -> Result<(), DataError> {
        Checker { fleet: self, rules, scenario }
            .all()
            .map_err(|(message, rule)| DataError::new(SCENARIOS, format!("{}: {message} [{rule}]", scenario.id)))
    }
}

struct Checker<'a> {
    fleet: &'a Fleet,
    rules: &'a Rules,
    scenario: &'a Scenario,
}

impl<'a> Checker<'a> {
    fn all(&self) -> Result<(), Fault> {
        self.general()?;
        let afloat = self.afloat()?;
        self.names(&afloat)?;
        self.room(&afloat)?;
        for squadron in &self.scenario.squadron {
            self.squadron(squadron)?;
            for stand in &squadron.stands {
                self.stand(squadron, stand, &afloat)?;
            }
        }
        self.markers()?;
        self.special(&afloat)?;
        self.scenario.bonus.iter().try_for_each(|bonus| self.bonus(bonus, &afloat))
    }

    fn turn(&self, what: impl std::fmt::Display, turn: i32) -> Result<(), Fault> {
        within(what, turn, 1..=self.scenario.turns)
    }

    fn turns(&self, what: &str, [first, last]: [i32; 2]) -> Result<(), Fault> {
        self.turn(format_args!("the first turn of {what}"), first)?;
        within(format_args!("the last turn of {what}"), last, first..=self.scenario.turns)
    }

    fn heading(&self, what: impl std::fmt::Display, degrees: i32) -> Result<(), Fault> {
        match Heading::new(self.rules, degrees) {
            Some(_) => Ok(()),
            None => wrong(format!("{what} cannot have heading {degrees}; headings are multiples of 15 from 0 to 345")),
        }
    }

    fn place(&self, what: impl std::fmt::Display, x: i32, y: i32) -> Result<(), Fault> {
        within(format_args!("x of {what}"), x, -EDGE_MM..=EDGE_MM)?;
        within(format_args!("y of {what}"), y, -EDGE_MM..=EDGE_MM)
    }

    fn general(&self) -> Result<(), Fault> {
        let scenario = self.scenario;
        within("the number of turns", scenario.turns, 1..=99)?;
        if scenario.tvr.is_empty() || scenario.tvr.iter().any(|tvr| !(0..=9).contains(tvr)) {
            return wrong("tvr must be a list of bands from 0 to 9");
        }
        for (what, text) in [("title", &scenario.title), ("side_a", &scenario.side_a), ("side_b", &scenario.side_b)] {
            if text.trim().is_empty() {
                return wrong(format!("{what} must not be empty"));
            }
        }
        if let Some(turn) = scenario.night_from_turn {
            self.turn("night_from_turn", turn)?;
            if scenario.light == Light::Night {
                return wrong("night_from_turn has no meaning where it is night from the start");
            }
        }
        within("margin", scenario.margin, 1..=10_000).map_err(|(text, _)| (text, rule::C_49))?;
        within("decisive", scenario.decisive, scenario.margin..=10_000).map_err(|(text, _)| (text, rule::C_49))?;
        for round in scenario.land.iter().chain(&scenario.squalls) {
            self.place("an area", round.x, round.y)?;
            within("the radius of an area", round.radius, 1..=EDGE_MM)?;
        }
        for side in SideName::ALL {
            if !scenario.squadron.iter().any(|squadron| squadron.side == *side) {
                return wrong(format!("side {side} has no squadron"));
            }
        }
        Ok(())
    }

    /// Everything that floats, each checked by itself.
    fn afloat(&self) -> Result<Vec<Afloat<'a>>, Fault> {
        let mut afloat = Vec::new();
        for squadron in &self.scenario.squadron {
            let side = squadron.side;
            for placed in &squadron.ships {
                let Some(entry) = self.fleet.ships.iter().find(|ship| ship.id == placed.ship) else {
                    wrong(format!("'{}' is not a ship", placed.ship))?;
                    continue;
                };
                self.ship(placed, entry)?;
                let at = Point::new(placed.x.into(), placed.y.into());
                let at = (!squadron.contact).then_some((at, entry.ratings.size));
                let id = placed.id.as_ref().unwrap_or(&placed.ship).clone();
                afloat.push(Afloat { id, side, at, entry: Some(entry), base: None });
            }
            for (number, boats) in squadron.boats.iter().enumerate() {
                self.boats(boats)?;
                let at = Point::new(boats.x.into(), boats.y.into());
                let id = format!("{}-{}", squadron.id, number + 1);
                afloat.push(Afloat { id, side, at: Some((at, -4)), entry: None, base: None });
            }
            for placed in &squadron.submarines {
                afloat.push(Afloat { id: placed.id.clone(), side, at: None, entry: None, base: None });
            }
            for base in &squadron.bases {
                self.base(base)?;
                afloat.push(Afloat { id: base.id.clone(), side, at: None, entry: None, base: Some(base.kind) });
            }
        }
        for placed in self.scenario.squadron.iter().flat_map(|squadron| &squadron.submarines) {
            self.submarine(placed, &afloat)?;
        }
        Ok(afloat)
    }

    fn ship(&self, placed: &Placed, entry: &ShipEntry) -> Result<(), Fault> {
        let id = placed.id.as_ref().unwrap_or(&placed.ship);
        let ratings = &entry.ratings;
        self.place(id, placed.x, placed.y)?;
        self.heading(id, placed.heading)?;
        if !(0..=ratings.speed).contains(&placed.speed) {
            return wrong(format!("{id} cannot start at {} knots; she makes {}", placed.speed, ratings.speed));
        }
        within(format_args!("the crew quality of {id}"), placed.crew_quality, -2..=2)?;
        within(format_args!("rearming of {id}"), placed.rearming, 0..=20)?;
        within(format_args!("mines of {id}"), placed.mines, 0..=20)?;
        if placed.rearming > 0 && entry.facts.code.kind() != Kind::Carrier {
            return odd(format!("{id} is no carrier, so nothing is armed aboard her"));
        }
        for turn in &placed.holds {
            self.turn(format_args!("a turn of holds of {id}"), *turn)?;
        }
        for on in &placed.to_hit_on {
            self.turn(format_args!("a turn of to_hit_on of {id}"), on.turn)?;
            within(format_args!("to_hit_on of {id}"), on.value, -9..=9)?;
        }
        for on in &placed.crew_quality_on {
            self.turn(format_args!("a turn of crew_quality_on of {id}"), on.turn)?;
            within(format_args!("crew_quality_on of {id}"), on.value, -2..=2)?;
        }
        if let Some(face) = placed.faulty_main {
            within(format_args!("faulty_main of {id}"), face, 1..=10)?;
            if ratings.main_mounts.is_empty() {
                return odd(format!("{id} has no main battery that could fail"));
            }
        }
        if placed.mines > 0 && !self.scenario.modules.contains(&Module::Mines) {
            return odd(format!("{id} carries mines, but the scenario does not use the module mines"));
        }
        let start = placed.start.unwrap_or_default();
        let limits = [
            ("f", start.f, 1..=ratings.f),
            ("s", start.s, 0..=ratings.s),
            ("speed", start.speed, placed.speed..=ratings.speed),
            ("sv", start.sv, 0..=ratings.sv),
            ("fc", start.fc, 0..=ratings.fc),
            ("h", start.h, 0..=ratings.h),
            ("fires", start.fires, 0..=20),
        ];
        for (field, value, limits) in limits {
            if let Some(value) = value {
                within(format_args!("start.{field} of {id}"), value, limits)?;
            }
        }
        Ok(())
    }

    fn boats(&self, boats: &PlacedBoats) -> Result<(), Fault> {
        let kind = &boats.type_x;
        let Some(entry) = self.fleet.type_x.iter().find(|entry| entry.id == *kind) else {
            return wrong(format!("'{kind}' is not a type of small craft"));
        };
        self.place(kind, boats.x, boats.y)?;
        self.heading(kind, boats.heading)?;
        within(format_args!("vessels of a stand of {kind}"), boats.vessels, 1..=12)?;
        within(format_args!("the speed of a stand of {kind}"), boats.speed, 0..=entry.speed)
    }

    fn submarine(&self, placed: &PlacedSubmarine, afloat: &[Afloat<'_>]) -> Result<(), Fault> {
        let id = &placed.id;
        if !self.fleet.submarines.iter().any(|entry| entry.id == placed.submarine) {
            return wrong(format!("'{}' is not a class of submarines", placed.submarine));
        }
        if !self.scenario.modules.contains(&Module::Submarines) {
            return odd(format!("{id} is there, but the scenario does not use the module submarines"));
        }
        if !afloat.iter().any(|vessel| vessel.id == placed.around && vessel.at.is_some()) {
            return wrong(format!("{id} lies round '{}', which is not a ship on the table", placed.around));
        }
        within(format_args!("the crew quality of {id}"), placed.crew_quality, -2..=2)?;
        within(format_args!("least_mm of {id}"), placed.least_mm, 0..=EDGE_MM)?;
        within(format_args!("most_mm of {id}"), placed.most_mm, placed.least_mm.max(1)..=EDGE_MM)
    }

    fn base(&self, base: &PlacedBase) -> Result<(), Fault> {
        let fault = |text: String| Err((text, rule::C_33));
        let id = &base.id;
        self.place(id, base.x, base.y)?;
        within(format_args!("the crew quality of {id}"), base.crew_quality, -2..=2)?;
        let at = Point::new(base.x.into(), base.y.into());
        let ashore = |land: &Round| at.dist2(Point::new(land.x.into(), land.y.into())) < i64::from(land.radius).pow(2);
        if !self.scenario.land.iter().any(ashore) {
            return fault(format!("{id} does not stand on land"));
        }
        match (&base.guns, base.kind) {
            (None, BaseKind::AirBase) => Ok(()),
            (Some(_), BaseKind::AirBase) => fault(format!("{id} is an air base and has no battery")),
            (None, BaseKind::ShoreBattery) => fault(format!("{id} is a shore battery and needs guns")),
            (Some(guns), BaseKind::ShoreBattery) => {
                let ship = self.fleet.ships.iter().find(|ship| ship.id == guns.ship);
                let known = ship
                    .is_some_and(|ship| crate::game::battle::battery_ids(ship).any(|battery| battery == guns.battery));
                if known {
                    return Ok(());
                }
                fault(format!("{id}: '{}' has no battery '{}'", guns.ship, guns.battery))
            }
        }
    }

    /// Ids are used once, and there are not too many of anything.
    fn names(&self, afloat: &[Afloat<'_>]) -> Result<(), Fault> {
        let squadrons = &self.scenario.squadron;
        let stands: Vec<String> = squadrons
            .iter()
            .flat_map(|squadron| (1..=squadron.stands.len()).map(|number| format!("{}-{number}", squadron.id)))
            .collect();
        let all = afloat.iter().map(|vessel| vessel.id.as_str()).chain(stands.iter().map(String::as_str));
        let clash = |error: DataError| (error.message, rule::C_35);
        distinct(SCENARIOS, squadrons.iter().map(|squadron| squadron.id.as_str())).map_err(clash)?;
        distinct(SCENARIOS, all).map_err(clash)?;
        if afloat.len() > MOST_VESSELS {
            return wrong(format!("there are {} vessels; the maximum is {MOST_VESSELS}", afloat.len()));
        }
        if stands.len().max(squadrons.len()).max(self.scenario.marker.len()) > MOST_OTHERS {
            return wrong(format!("there are more than {MOST_OTHERS} stands, squadrons or markers"));
        }
        Ok(())
    }

    /// What is on the table stands clear of land and of each other. [section 4]
    fn room(&self, afloat: &[Afloat<'_>]) -> Result<(), Fault> {
        for (number, vessel) in afloat.iter().enumerate() {
            let Some((at, size)) = vessel.at else { continue };
            for land in &self.scenario.land {
                let middle = Point::new(land.x.into(), land.y.into());
                if at.dist2(middle) < i64::from(land.radius).pow(2) {
                    return wrong(format!("{} starts on land", vessel.id));
                }
            }
            for other in &afloat[..number] {
                let Some((there, other_size)) = other.at else { continue };
                let room = i64::from(base_radius(size) + base_radius(other_size));
                if at.dist2(there) < room * room {
                    return wrong(format!("{} and {} start too close to each other", other.id, vessel.id));
                }
            }
        }
        Ok(())
    }

    fn squadron(&self, squadron: &Squadron) -> Result<(), Fault> {
        let id = &squadron.id;
        let afloat = squadron.ships.len() + squadron.boats.len() + squadron.submarines.len() + squadron.bases.len();
        if (afloat == 0) == squadron.stands.is_empty() {
            return wrong(format!("{id} must have either ships or stands"));
        }
        if afloat > LARGEST_SQUADRON {
            return wrong(format!("{id} has {afloat} vessels; a squadron has at most {LARGEST_SQUADRON}"));
        }
        within(format_args!("the command value of {id}"), squadron.command, -2..=2)?;
        if !squadron.ships.is_empty() && squadron.ships.iter().filter(|ship| ship.flagship).count() != 1 {
            return wrong(format!("{id} must have one flagship"));
        }
        if squadron.contact && afloat != squadron.ships.len() {
            return wrong(format!("{id} begins as a contact, so it must have ships only"));
        }
        if squadron.surprised && self.scenario.alert.is_none() {
            return odd(format!("{id} is surprised, but alert does not say how it is alerted"));
        }
        Ok(())
    }

    fn stand(&self, squadron: &Squadron, stand: &PlacedStand, afloat: &[Afloat<'_>]) -> Result<(), Fault> {
        let kind = &stand.aircraft;
        let Some(entry) = self.fleet.aircraft.iter().find(|aircraft| aircraft.id == *kind) else {
            return wrong(format!("'{kind}' is not an aircraft"));
        };
        within(format_args!("the count of a stand of {kind}"), stand.count, 1..=27)?;
        within(format_args!("the crew quality of a stand of {kind}"), stand.crew_quality, -2..=2)?;
        self.turn(format_args!("arrives of a stand of {kind}"), stand.arrives)?;
        if let Some(turn) = stand.acts_from {
            self.turn(format_args!("acts_from of a stand of {kind}"), turn)?;
        }
        if stand.attack != "none" && !AttackType::ALL.iter().any(|attack| attack.word() == stand.attack) {
            return wrong(format!("'{}' is not a type of attack of a stand of {kind}", stand.attack));
        }
        let fits = |load: &Load| {
            load.attack.word() == stand.attack
                && stand.ordnance.as_ref().is_none_or(|ordnance| *ordnance == load.ordnance)
        };
        if stand.role == StandRole::Loaded && !entry.loads.iter().any(fits) {
            return wrong(format!("{kind} cannot carry that load as a {}", stand.attack));
        }
        if stand.role == StandRole::Fighter && entry.ratings.intercept == 0 {
            return wrong(format!("{kind} is no fighter"));
        }
        match (stand.x, stand.y) {
            (Some(x), Some(y)) => self.place(format_args!("a stand of {kind}"), x, y)?,
            (None, None) => {}
            _ => return odd(format!("a stand of {kind} has only one of x and y")),
        }
        match &stand.from {
            Some(_) if stand.x.is_some() => odd(format!("a stand of {kind} is both aboard and in the air")),
            Some(from) => {
                if afloat.iter().any(|vessel| vessel.id == *from && vessel.side == squadron.side && vessel.flies()) {
                    return Ok(());
                }
                odd(format!("a stand of {kind} flies from '{from}', which is not a carrier of its side"))
            }
            None if stand.ready.is_some() => {
                odd(format!("ready of a stand of {kind} has a meaning only aboard a ship"))
            }
            None => Ok(()),
        }
    }

    fn markers(&self) -> Result<(), Fault> {
        for marker in &self.scenario.marker {
            self.place("a marker", marker.x, marker.y)?;
            self.heading("a marker", marker.heading)?;
            within("the speed of a marker", marker.speed, 0..=60)?;
        }
        for side in SideName::ALL {
            let contacts =
                self.scenario.squadron.iter().filter(|squadron| squadron.side == *side && squadron.contact).count();
            let markers = self.scenario.marker.iter().filter(|marker| marker.side == *side).count();
            if contacts > markers {
                let text = format!("side {side} has {contacts} contact squadrons but {markers} markers");
                return Err((text, rule::C_40));
            }
            if contacts == 0 && markers > 0 {
                return Err((format!("side {side} has markers but no contact squadron"), rule::C_40));
            }
        }
        Ok(())
    }

    fn named(&self, field: &str, id: &str) -> Result<&'a Squadron, Fault> {
        self.scenario
            .squadron
            .iter()
            .find(|squadron| squadron.id == id)
            .ok_or_else(|| (format!("{field} names '{id}', which is not a squadron of the scenario"), rule::C_50))
    }

    fn special(&self, afloat: &[Afloat<'_>]) -> Result<(), Fault> {
        let scenario = self.scenario;
        for leaving in &scenario.leave {
            if leaving.clear_mm.is_none() && leaving.x_above.is_none() {
                return odd("leave needs clear_mm or x_above");
            }
            within("clear_mm of leave", leaving.clear_mm.unwrap_or(1), 1..=EDGE_MM)?;
        }
        if let Some(alert) = &scenario.alert {
            if !scenario.squadron.iter().any(|squadron| squadron.surprised) {
                return odd("alert is there, but no squadron is surprised");
            }
            match (alert.spreads_from_turn, alert.spreads_d10) {
                (Some(turn), Some(face)) => {
                    self.turn("spreads_from_turn of alert", turn)?;
                    within("spreads_d10 of alert", face, 1..=10)?;
                }
                (None, None) => {}
                _ => return odd("alert needs both of spreads_from_turn and spreads_d10, or neither"),
            }
        }
        if let Some(flares) = &scenario.flares {
            self.turns("flares", flares.turns)?;
            within("reach_mm of flares", flares.reach_mm, 1..=EDGE_MM)?;
        }
        if let Some(drift) = &scenario.drift {
            self.heading("drift", drift.heading)?;
            within("mm of drift", drift.mm, 0..=10_000)?;
            if scenario.squalls.is_empty() {
                return odd("drift is there, but there are no squalls");
            }
        }
        if let Some(shy) = &scenario.torpedo_shy {
            within("needed of torpedo_shy", shy.needed, 1..=12)?;
        }
        if let Some(guide) = &scenario.guide {
            self.turns("guide", guide.turns)?;
            let squadron = self.named("guide", &guide.squadron)?;
            let leads = |placed: &Placed| placed.id.as_ref().unwrap_or(&placed.ship) == &guide.ship;
            if !squadron.ships.iter().any(leads) {
                return odd(format!("guide names '{}', which is not a ship of {}", guide.ship, guide.squadron));
            }
        }
        if let Some(floats) = &scenario.smoke_floats {
            self.named("smoke_floats", &floats.squadron)?;
            self.turn("from_turn of smoke_floats", floats.from_turn)?;
            within("each of smoke_floats", floats.each, 1..=99)?;
        }
        for given in &scenario.initiative {
            self.turn("a turn of initiative", given.turn)?;
            if scenario.initiative.iter().filter(|other| other.turn == given.turn).count() > 1 {
                return odd(format!("initiative gives turn {} twice", given.turn));
            }
        }
        self.fields()?;
        for carrier in afloat.iter().filter(|vessel| vessel.entry.is_some_and(|entry| entry.ratings.h > 0)) {
            self.aboard(&carrier.id)?;
        }
        Ok(())
    }

    fn fields(&self) -> Result<(), Fault> {
        let (mine, scenario) = (&self.rules.mine, self.scenario);
        for fields in &scenario.fields {
            if !scenario.modules.contains(&Module::Mines) {
                return odd("fields are granted, but the scenario does not use the module mines");
            }
            within("count of fields", fields.count, 1..=20)?;
            let ([x0, y0], [x1, y1]) = (fields.min, fields.max);
            self.place("min of fields", x0, y0)?;
            self.place("max of fields", x1, y1)?;
            let (long, short) = ((x1 - x0).max(y1 - y0), (x1 - x0).min(y1 - y0));
            if long < mine.field_length_mm || short < mine.field_width_mm {
                return odd("the rectangle of fields is too small for a field");
            }
        }
        Ok(())
    }

    /// Stands being armed aboard a ship are those the scenario puts there. [C-44]
    fn aboard(&self, id: &str) -> Result<(), Fault> {
        let squadrons = &self.scenario.squadron;
        let placed = squadrons.iter().flat_map(|squadron| &squadron.ships);
        let given = placed.filter(|placed| placed.id.as_ref().unwrap_or(&placed.ship) == id).map(|ship| ship.rearming);
        let stands = squadrons.iter().flat_map(|squadron| &squadron.stands);
        let arming = stands.filter(|stand| stand.from.as_deref() == Some(id) && stand.ready != Some(true)).count();
        match given.sum::<i32>() {
            0 => Ok(()),
            given if given == arming as i32 => Ok(()),
            given => {
                Err((format!("{id} has rearming {given}, but {arming} stands are being armed aboard"), rule::C_44))
            }
        }
    }

    fn bonus(&self, bonus: &Bonus, afloat: &[Afloat<'_>]) -> Result<(), Fault> {
        let when = &bonus.when;
        if when.trim().is_empty() {
            return odd("a bonus does not say when it is given");
        }
        within(format_args!("the points of the bonus '{when}'"), bonus.points, 1..=1000)?;
        let subjects = [
            bonus.ship.is_some(),
            bonus.count_of.is_some(),
            bonus.each_of.is_some(),
            bonus.each_aircraft_lost_of.is_some(),
            bonus.each_vessel_left_of.is_some(),
            bonus.each_vessel_lost_of.is_some(),
        ];
        if subjects.iter().filter(|there| **there).count() != 1 {
            return odd(format!("the bonus '{when}' must name one subject: ship, count_of or one of each_..."));
        }
        let judged = subjects[..3].contains(&true);
        if judged == (bonus.afloat.is_none() && bonus.any.is_empty()) {
            let text = if judged { "has no condition" } else { "counts losses, so it has no conditions" };
            return odd(format!("the bonus '{when}' {text}"));
        }
        if let Some(ship) = bonus.ship.as_ref().filter(|ship| !afloat.iter().any(|vessel| vessel.id == **ship)) {
            return odd(format!("the bonus '{when}' names '{ship}', which is not a vessel of the scenario"));
        }
        if bonus.count_of.as_ref().is_some_and(|those| those.at_least.is_none_or(|least| least < 1)) {
            return odd(format!("count_of of the bonus '{when}' needs at_least, 1 or more"));
        }
        if bonus.each_of.as_ref().is_some_and(|those| those.at_least.is_some()) {
            return odd(format!("each_of of the bonus '{when}' has no at_least"));
        }
        for kind in [&bonus.each_vessel_left_of, &bonus.each_vessel_lost_of].into_iter().flatten() {
            let mut boats = self.scenario.squadron.iter().flat_map(|squadron| &squadron.boats);
            if !boats.any(|boats| boats.type_x == *kind) {
                return odd(format!("the bonus '{when}' names '{kind}', of which the scenario has no stand"));
            }
        }
        for terms in &bonus.any {
            if *terms == Terms::default() {
                return odd(format!("an entry of any of the bonus '{when}' is empty"));
            }
            for [part, whole] in
                [terms.structure_at_most, terms.structure_above, terms.flotation_at_most].into_iter().flatten()
            {
                if part < 0 || whole < 1 || part > whole {
                    return odd(format!("[{part}, {whole}] in the bonus '{when}' is not a share"));
                }
            }
        }
        Ok(())
    }
}
