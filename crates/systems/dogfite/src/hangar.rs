//! Aircraft and pilots: ratings, and the formula that makes them out of published figures. (C-3, C-4)

use crate::rule;
use crate::victory::Grade;
use crate::words::{Alliance, counted, signed};
use flagplot_kernel::{DataError, Files, Refusal};
use flagplot_referee::words;
use serde::{Deserialize, Deserializer, Serialize};

/// What an aircraft can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratings {
    /// At or below it a stall threatens.
    pub min_speed: i32,
    /// The most the engine gives.
    pub max_speed: i32,
    /// The most the wings bear.
    pub max_dive: i32,
    /// Added to the power roll.
    pub power: i32,
    /// Added to the drag roll.
    pub drag: i32,
    /// Added to the power roll after a climb.
    pub climb: i32,
    /// Added to the stall roll.
    pub spin: i32,
    /// Added to the aerobatic points allowed.
    pub aerobatic: i32,
    /// Added to the gun roll.
    pub firing: i32,
    pub guns: u8,
    /// Sets of damage boxes.
    #[serde(default = "four")]
    pub sets: u8,
    /// Boxes in each.
    #[serde(default = "six")]
    pub boxes_per_set: u8,
}

impl Ratings {
    /// Ratings of 0, with one gun and the usual boxes.
    pub(crate) const AVERAGE: Ratings = Ratings {
        min_speed: 0,
        max_speed: 0,
        max_dive: 0,
        power: 0,
        drag: 0,
        climb: 0,
        spin: 0,
        aerobatic: 0,
        firing: 0,
        guns: 1,
        sets: 4,
        boxes_per_set: 6,
    };

    /// The ratings, apart from speeds and boxes, in a line.
    pub fn in_words(&self) -> String {
        let [power, drag, climb, spin, aerobatic, firing] =
            [self.power, self.drag, self.climb, self.spin, self.aerobatic, self.firing].map(signed);
        format!(
            "power {power}, drag {drag}, climb {climb}, spin {spin}, aerobatic {aerobatic}, firing {firing}, {}",
            counted(self.guns, "gun")
        )
    }
}

fn four() -> u8 {
    4
}

fn six() -> u8 {
    6
}

#[words]
pub enum WingSection {
    Thin,
    Thick,
}

#[words]
pub enum Controls {
    Heavy,
    Normal,
    Light,
}

/// How the aircraft takes a stall.
#[words]
pub enum StallManners {
    Vicious,
    Normal,
    Docile,
}

#[words]
pub enum Structure {
    Weak,
    Sound,
    Strong,
}

#[words]
pub enum GunMount {
    Poor,
    Normal,
    Steady,
}

/// A number with one decimal, kept as tenths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tenths(pub u32);

impl<'de> Deserialize<'de> for Tenths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Tenths;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number of minutes from 0.1 to 200")
            }
            fn visit_u64<E: serde::de::Error>(self, n: u64) -> Result<Tenths, E> {
                if (1..=200).contains(&n) {
                    Ok(Tenths(n as u32 * 10))
                } else {
                    Err(E::custom("minutes must lie between 0.1 and 200"))
                }
            }
            fn visit_i64<E: serde::de::Error>(self, n: i64) -> Result<Tenths, E> {
                self.visit_u64(u64::try_from(n).unwrap_or(0))
            }
            fn visit_f64<E: serde::de::Error>(self, n: f64) -> Result<Tenths, E> {
                // Written out and read digit by digit: no arithmetic on floating-point numbers.
                let text = format!("{n:.1}");
                let tenths: Option<u32> =
                    text.replace('.', "").parse().ok().filter(|tenths| (1..=2000).contains(tenths));
                tenths.map(Tenths).ok_or_else(|| E::custom("minutes must lie between 0.1 and 200"))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// Published figures of an aircraft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    pub power_hp: u32,
    pub weight_lb: u32,
    pub wing_area_sqft: u32,
    pub top_speed_mph: u32,
    pub minutes_to_10000_ft: Tenths,
    pub wing_section: WingSection,
    pub controls: Controls,
    pub stall_manners: StallManners,
    pub structure: Structure,
    pub gun_mount: GunMount,
}

impl Figures {
    /// Whether the figures are those of an aircraft.
    pub fn check(&self) -> Result<(), Refusal> {
        let limits = [
            ("power_hp", self.power_hp, 20, 2000),
            ("weight_lb", self.weight_lb, 300, 20_000),
            ("wing_area_sqft", self.wing_area_sqft, 50, 2000),
            ("top_speed_mph", self.top_speed_mph, 50, 250),
        ];
        match limits.iter().find(|(_, n, low, high)| !(low..=high).contains(&n)) {
            None => Ok(()),
            Some((name, n, low, high)) => {
                Err(Refusal::new("out-of-range", format!("{name} is {n}; it must lie between {low} and {high}."))
                    .by(rule::C_3))
            }
        }
    }

    /// The ratings that follow from the figures. Every comparison of the formula is made in whole numbers. (C-3)
    pub fn ratings(&self, guns: u8) -> Ratings {
        let [hp, weight, area, top, tenths] =
            [self.power_hp, self.weight_lb, self.wing_area_sqft, self.top_speed_mph, self.minutes_to_10000_ft.0]
                .map(u128::from);
        // Stall speed in units of 16 mph: its square, times 123904/225, is 2·weight / (area · 0.002377 · lift).
        let lift_tenths: u128 = match self.wing_section {
            WingSection::Thin => 12,
            WingSection::Thick => 14,
        };
        let stalls_at = |n: u128| 2 * weight * 10_000_000 * 225 >= n * n * 123_904 * area * 2377 * lift_tenths;
        let min_speed = (1..40).take_while(|&n| stalls_at(n)).count() as i32;
        let max_speed = ((top + 8) / 16) as i32;
        let max_dive = max_speed
            + match self.structure {
                Structure::Weak => 2,
                Structure::Sound => 3,
                Structure::Strong => 4,
            };
        // A thousand times the flat plate over the weight, as a fraction.
        let plate = hp * 1000 * 4125 * 3375 * 1_000_000;
        let per = 11_885 * 10_648 * top * top * top * weight;
        let grade = |best: bool, middle: bool| if best { 1 } else { i32::from(middle) - 1 };
        let loading = grade(weight <= 7 * area, 2 * weight <= 19 * area);
        Ratings {
            min_speed,
            max_speed,
            max_dive,
            power: grade(weight <= 10 * hp, weight <= 13 * hp),
            drag: -grade(plate < 6 * per, plate <= 9 * per),
            climb: grade(tenths <= 100, tenths <= 200),
            spin: self.stall_manners as i32 - 1,
            aerobatic: (loading + self.controls as i32 - 1).clamp(-1, 1),
            firing: self.gun_mount as i32 - 1,
            guns,
            sets: four(),
            boxes_per_set: six(),
        }
    }
}

impl Ratings {
    /// What the aircraft is worth in a pick-up game.
    pub fn value(&self) -> i32 {
        10 + 2 * (self.max_speed - 6)
            + (self.max_dive - self.max_speed - 2)
            + 2 * self.power
            + self.climb
            + 3 * self.aerobatic
            + self.spin
            + 2 * self.firing
            + 4 * (i32::from(self.guns) - 1)
            - (self.min_speed - 2)
    }

    fn check(&self) -> Result<(), String> {
        let ok = (0..=20).contains(&self.min_speed)
            && (self.min_speed..=40).contains(&self.max_speed)
            && (self.max_speed..=60).contains(&self.max_dive)
            && [self.power, self.drag, self.climb, self.spin, self.aerobatic, self.firing]
                .iter()
                .all(|rating| (-5..=5).contains(rating))
            && (1..=2).contains(&self.guns)
            && (1..=8).contains(&self.sets)
            && (1..=8).contains(&self.boxes_per_set);
        if ok {
            return Ok(());
        }
        Err("speeds must rise from min_speed over max_speed to max_dive, ratings must lie between -5 and 5, and there \
             must be 1 or 2 guns and up to 8 sets of up to 8 boxes"
            .into())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AircraftType {
    pub id: String,
    pub name: String,
    pub side: Alliance,
    /// From when on, as year and month.
    pub service_from: String,
    /// What it is worth in a pick-up game.
    pub value: i32,
    pub ratings: Ratings,
    /// The figures it was made from, if they are known.
    #[serde(rename = "source")]
    pub figures: Option<Figures>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AircraftFile {
    aircraft: Vec<AircraftType>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PilotGrade {
    pub id: Grade,
    /// Added to initiative.
    pub experience: i32,
    /// Added to bets.
    pub flying: i32,
    /// Added to fire.
    pub shooting: i32,
    /// What the pilot is worth in a pick-up game.
    pub value: i32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PilotFile {
    grade: Vec<PilotGrade>,
}

#[derive(Clone, Debug)]
pub struct Hangar {
    aircraft: Vec<AircraftType>,
    grades: Vec<PilotGrade>,
}

impl Hangar {
    /// Reads and checks `aircraft.toml` and `pilots.toml`.
    pub(crate) fn parse(files: &Files) -> Result<Self, DataError> {
        const AIRCRAFT: &str = "aircraft.toml";
        const PILOTS: &str = "pilots.toml";
        let file: AircraftFile = files.parse(AIRCRAFT)?;
        let aircraft = file.aircraft;
        for (at, AircraftType { id, ratings, figures, .. }) in aircraft.iter().enumerate() {
            let wrong = |why: String| DataError::new(AIRCRAFT, format!("'{id}': {why}"));
            ratings.check().map_err(wrong)?;
            figures.map_or(Ok(()), |figures| figures.check()).map_err(|why| wrong(why.to_string()))?;
            if aircraft[..at].iter().any(|known| known.id == *id) {
                return Err(DataError::new(AIRCRAFT, format!("'{id}' is in the file twice")));
            }
        }
        let file: PilotFile = files.parse(PILOTS)?;
        for &grade in Grade::ALL {
            if file.grade.iter().filter(|entry| entry.id == grade).count() != 1 {
                return Err(DataError::new(PILOTS, format!("the grade '{grade}' must be in the file once")));
            }
        }
        if let Some(entry) = file.grade.iter().find(|entry| {
            [entry.experience, entry.flying, entry.shooting].iter().any(|skill| !(-5..=5).contains(skill))
        }) {
            return Err(DataError::new(PILOTS, format!("the skills of '{}' must lie between -5 and 5", entry.id)));
        }
        Ok(Self { aircraft, grades: file.grade })
    }

    pub fn aircraft(&self) -> &[AircraftType] {
        &self.aircraft
    }

    /// Adds a type of a player's own.
    pub(crate) fn add(&mut self, aircraft: AircraftType) -> Result<(), String> {
        aircraft
            .ratings
            .check()
            .map_err(|why| format!("The figures of '{}' make no aircraft of this game: {why}.", aircraft.id))?;
        if self.find(&aircraft.id).is_some() {
            return Err(format!("There is already an aircraft '{}'.", aircraft.id));
        }
        self.aircraft.push(aircraft);
        Ok(())
    }

    pub fn find(&self, id: &str) -> Option<&AircraftType> {
        self.aircraft.iter().find(|aircraft| aircraft.id == id)
    }

    pub fn pilot(&self, grade: Grade) -> PilotGrade {
        *self.grades.iter().find(|entry| entry.id == grade).expect("every grade was found when the file was read")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_gives_every_rating_of_the_file() {
        let hangar = Hangar::parse(&crate::files()).unwrap();
        assert_eq!(hangar.aircraft().len(), 22);
        for aircraft in hangar.aircraft() {
            let figures = aircraft.figures.unwrap_or_else(|| panic!("{} has no figures", aircraft.id));
            assert_eq!(figures.ratings(aircraft.ratings.guns), aircraft.ratings, "{}", aircraft.id);
            assert_eq!(aircraft.ratings.value(), aircraft.value, "{}", aircraft.id);
        }
    }

    #[test]
    fn minutes_are_read_to_the_tenth() {
        let read = |text: &str| serde_json::from_str::<Tenths>(text).ok();
        assert_eq!(read("11.5"), Some(Tenths(115)));
        assert_eq!(read("30"), Some(Tenths(300)));
        assert_eq!(read("0"), None);
        assert_eq!(read("-3.0"), None);
        assert_eq!(read("1e9"), None);
    }
}
