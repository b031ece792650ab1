//! Checks of the data. Each refusal names the file, the entry and what is wrong.

use super::*;
use std::collections::BTreeSet;

/// The first field in which two ratings differ, in words.
fn difference<T: Serialize>(found: &T, derived: &T) -> Option<String> {
    let json = |value: &T| serde_json::to_value(value).unwrap_or_default();
    let (found, derived) = (json(found), json(derived));
    let derived = derived.as_object()?;
    derived.iter().find_map(|(field, value)| {
        let written = found.get(field)?;
        (written != value).then(|| format!("{field} is {written}, but the facts give {value}"))
    })
}

fn same<T: Serialize + PartialEq>(file: &str, id: &str, found: &T, derived: &T) -> Result<(), DataError> {
    if found == derived {
        return Ok(());
    }
    let what = difference(found, derived).unwrap_or_else(|| "the ratings do not follow from the facts".to_owned());
    Err(DataError::new(file, format!("{id}: {what}")))
}

pub(super) fn distinct<'a>(file: &str, ids: impl Iterator<Item = &'a str>) -> Result<BTreeSet<&'a str>, DataError> {
    let mut seen = BTreeSet::new();
    for id in ids {
        if !seen.insert(id) {
            return Err(DataError::new(file, format!("'{id}' appears twice")));
        }
    }
    Ok(seen)
}

/// A ship of the file; ratings that are left out follow from her facts. [C-26]
fn ship(mut entry: serde_json::Value, rules: &Rules) -> Result<ShipEntry, DataError> {
    let id = entry["id"].as_str().unwrap_or("a ship without an id").to_owned();
    let fail = |message: String| DataError::new(SHIPS, format!("{id}: {message}"));
    if entry.get("ratings").is_none() && entry.get("facts").is_some() {
        let facts: ShipFacts = shaped(entry["facts"].clone()).map_err(|error| fail(error.to_string()))?;
        facts.check().map_err(|refusal| fail(refusal.message))?;
        entry["ratings"] = serde_json::to_value(facts.derive(rules)).map_err(|error| fail(error.to_string()))?;
    }
    serde_json::from_value(entry).map_err(|error| fail(error.to_string()))
}

impl Fleet {
    /// Reads and checks all data.
    pub fn new(files: &Files, rules: &Rules) -> Result<Fleet, DataError> {
        let ships: ShipFile = files.parse(SHIPS)?;
        let aircraft: AircraftFile = files.parse(AIRCRAFT)?;
        let ordnance: OrdnanceFile = files.parse(ORDNANCE)?;
        let small: SmallCraftFile = files.parse(SMALL_CRAFT)?;
        let mut scenarios = Vec::new();
        for (name, _) in files.iter().filter(|(name, _)| name.starts_with(FAMILY)) {
            let file: ScenarioFile = files.parse(name)?;
            scenarios.extend(file.scenario);
        }
        let fleet = Fleet {
            ships: ships.ship.into_iter().map(|entry| ship(entry, rules)).collect::<Result<_, _>>()?,
            aircraft: aircraft.aircraft,
            torpedoes: ordnance.torpedo,
            bombs: ordnance.bomb,
            specials: ordnance.special,
            type_x: small.type_x,
            submarines: small.submarine,
            scenarios,
        };
        fleet.check_ordnance()?;
        fleet.check_aircraft()?;
        fleet.check_ships(rules)?;
        fleet.check_small_craft()?;
        if fleet.scenarios.iter().any(|scenario| scenario.id == crate::game::custom::ID) {
            return Err(DataError::new(
                SCENARIOS,
                "'custom' is the battle with forces of one's own; choose another id",
            ));
        }
        distinct(SCENARIOS, fleet.scenarios.iter().map(|scenario| scenario.id.as_str()))?;
        fleet.scenarios.iter().try_for_each(|scenario| fleet.check_scenario(rules, scenario))?;
        Ok(fleet)
    }

    fn is_torpedo(&self, id: &str) -> bool {
        self.torpedoes.iter().any(|torpedo| torpedo.id == id)
    }

    fn is_ordnance(&self, id: &str) -> bool {
        self.is_torpedo(id)
            || self.bombs.iter().any(|bomb| bomb.id == id)
            || self.specials.iter().any(|special| special.id == id)
    }

    fn check_ordnance(&self) -> Result<(), DataError> {
        let ids = self.torpedoes.iter().map(|torpedo| torpedo.id.as_str());
        let ids = ids
            .chain(self.bombs.iter().map(|bomb| bomb.id.as_str()))
            .chain(self.specials.iter().map(|special| special.id.as_str()));
        distinct(ORDNANCE, ids)?;
        for torpedo in &self.torpedoes {
            same(ORDNANCE, &torpedo.id, &torpedo.ratings, &torpedo.facts.derive())?;
        }
        for bomb in &self.bombs {
            same(ORDNANCE, &bomb.id, &bomb.ratings, &bomb.facts.derive())?;
        }
        Ok(())
    }

    fn check_aircraft(&self) -> Result<(), DataError> {
        distinct(AIRCRAFT, self.aircraft.iter().map(|aircraft| aircraft.id.as_str()))?;
        for aircraft in &self.aircraft {
            same(AIRCRAFT, &aircraft.id, &aircraft.ratings, &aircraft.facts.derive())?;
            for load in &aircraft.loads {
                let torpedo = load.attack == AttackType::TorpedoBomber;
                if !self.is_ordnance(&load.ordnance) || torpedo != self.is_torpedo(&load.ordnance) {
                    return Err(DataError::new(
                        AIRCRAFT,
                        format!("{}: '{}' is not ordnance for a {}", aircraft.id, load.ordnance, load.attack),
                    ));
                }
            }
        }
        Ok(())
    }

    fn check_ships(&self, rules: &Rules) -> Result<(), DataError> {
        distinct(SHIPS, self.ships.iter().map(|ship| ship.id.as_str()))?;
        for ship in &self.ships {
            let fail = |message: String| DataError::new(SHIPS, format!("{}: {message}", ship.id));
            ship.facts.check().map_err(|refusal| fail(refusal.message))?;
            same(SHIPS, &ship.id, &ship.ratings, &ship.facts.derive(rules))?;
            if ship.torpedo.is_some() == ship.ratings.torpedo_mounts.is_empty() {
                return Err(fail("a torpedo must be named if and only if there are torpedo mounts".to_owned()));
            }
            if let Some(torpedo) = ship.torpedo.as_deref().filter(|id| !self.is_torpedo(id)) {
                return Err(fail(format!("'{torpedo}' is not a torpedo")));
            }
            if let Some(cargo) = ship.cargo {
                // The holds need not be full: what tonnage gives is the most.
                let full = ((ship.facts.displacement_t + 1999) / 2000).max(LEAST_CARGO);
                if ship.facts.code == ShipType::Mv && !(LEAST_CARGO..=full).contains(&cargo.points) {
                    let tons = ship.facts.displacement_t;
                    return Err(fail(format!(
                        "{tons} gross tons carry {LEAST_CARGO} to {full} cargo points, not {} [{}]",
                        cargo.points,
                        rule::C_32
                    )));
                }
            }
        }
        Ok(())
    }

    fn check_small_craft(&self) -> Result<(), DataError> {
        distinct(
            SMALL_CRAFT,
            self.type_x
                .iter()
                .map(|entry| entry.id.as_str())
                .chain(self.submarines.iter().map(|entry| entry.id.as_str())),
        )?;
        for entry in &self.type_x {
            let fail =
                |message: &str| Err(DataError::new(SMALL_CRAFT, format!("{}: {message} [{}]", entry.id, rule::C_29)));
            if !(-2..=1).contains(&entry.save_modifier) {
                return fail("a save modifier lies between -2 and 1");
            }
            if (entry.torpedoes_per_vessel > 0) != entry.torpedo.as_deref().is_some_and(|id| self.is_torpedo(id)) {
                return fail("a known torpedo must be named if and only if the vessels carry torpedoes");
            }
        }
        for entry in &self.submarines {
            if !self.is_torpedo(&entry.torpedo) {
                return Err(DataError::new(
                    SMALL_CRAFT,
                    format!("{}: '{}' is not a torpedo [{}]", entry.id, entry.torpedo, rule::C_29),
                ));
            }
        }
        Ok(())
    }
}
