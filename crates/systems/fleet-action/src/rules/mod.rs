//! The printed tables and the numbers that complete them, parsed once and checked.

use crate::weapons::LOSS_ORDER;
use crate::words::{Approach, Area, AttackType, Column, Control};
use flagplot_kernel::{DataError, Files};
use serde::Deserialize;
use std::collections::BTreeMap;

mod row;
mod tuning;

use row::Cover;
pub use row::Row;
pub use tuning::*;

const TABLES: &str = "tables.toml";
const TUNING: &str = "tuning.toml";
const SMALL_CRAFT: &str = "small-craft.toml";

/// How many range bands the tables have.
pub const RANGE_BANDS: usize = 5;

/// A row as the structural and carrier tables have it: with what protects it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProtectedRow {
    pub row: Row,
    /// What protects it; `None` where the mount that is struck decides.
    pub area: Option<Area>,
}

/// Numbers in bands, each with a value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BandTable {
    upper: Vec<i32>,
    value: Vec<i32>,
}

impl BandTable {
    /// The first number of each band, with the band in words: `3-6`, `21+`.
    fn labels(&self) -> Vec<(i32, String)> {
        let first = std::iter::once(1).chain(self.upper.iter().map(|upper| upper + 1));
        let last = self.upper.iter().map(Some).chain([None]);
        let label = |(first, last): (i32, Option<&i32>)| match last {
            Some(last) if *last == first => (first, first.to_string()),
            Some(last) => (first, format!("{first}-{last}")),
            None => (first, format!("{first}+")),
        };
        first.zip(last).map(label).collect()
    }

    fn of(&self, n: i32) -> i32 {
        let at = self.upper.iter().position(|upper| n <= *upper).unwrap_or(self.upper.len());
        self.value.get(at).copied().unwrap_or(0)
    }

    fn check(&self, what: &str) -> Result<(), DataError> {
        if self.value.len() != self.upper.len() + 1 {
            let (limits, values) = (self.upper.len(), self.value.len());
            let text = format!("{what} has {limits} upper limits and {values} values; it needs {} values", limits + 1);
            return Err(DataError::new(TABLES, text));
        }
        if self.upper.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(DataError::new(TABLES, format!("the limits of {what} must rise")));
        }
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTables {
    bands: BandTable,
    gunnery: RawGunnery,
    torpedo: RawTorpedo,
    aircraft_save_by_hit_points: BandTable,
    air_attack_type: BTreeMap<AttackType, i32>,
    weapon_loss: RawLoss,
    underwater: BTreeMap<Row, [[u8; 2]; 3]>,
    structural: BTreeMap<Row, RawRow>,
    carrier: BTreeMap<Row, RawRow>,
    underwater_location: BTreeMap<Approach, [u8; 3]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGunnery {
    directed: [i32; RANGE_BANDS],
    local: [i32; RANGE_BANDS],
    guns_modifier: [i32; 5],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTorpedo {
    to_hit: [i32; RANGE_BANDS],
    bow_arc: i32,
    stern_arc: i32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLoss {
    order: [String; 6],
    cost: [i32; 6],
    torpedo_mount_cost: i32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRow {
    faces: [u8; 2],
    protection: Cover,
}

/// All tables and numbers of the game.
#[derive(Clone, Debug)]
pub struct Rules {
    bands: BandTable,
    hit_points: BandTable,
    directed: [i32; RANGE_BANDS],
    local: [i32; RANGE_BANDS],
    guns: [i32; 5],
    torpedo: [i32; RANGE_BANDS],
    /// What a launch into the bow arc adds.
    pub bow_arc: i32,
    /// What a launch into the stern arc adds.
    pub stern_arc: i32,
    attack_types: Vec<i32>,
    weapon_cost: [i32; 6],
    pub torpedo_mount_cost: i32,
    structural: [ProtectedRow; 20],
    carrier: [ProtectedRow; 20],
    underwater: [[Row; 20]; 3],
    location: [[Column; 10]; 4],
    pub scale: Scale,
    pub needs: BaseNumbers,
    pub movement: MovementLimits,
    pub spreads: Spreads,
    pub reach: Reach,
    pub explosions: Explosions,
    pub spotting: Spotting,
    pub mine: Mine,
}

impl Rules {
    /// Reads and checks the tables.
    pub fn new(files: &Files) -> Result<Rules, DataError> {
        let tables: RawTables = files.parse(TABLES)?;
        let tuning: Tuning = files.parse(TUNING)?;
        let mines: MineFile = files.parse(SMALL_CRAFT)?;
        tables.bands.check_progression()?;
        tables.aircraft_save_by_hit_points.check("aircraft_save_by_hit_points")?;
        let order = LOSS_ORDER.map(|mount| mount.replace(", ", "-"));
        if tables.weapon_loss.order != order {
            return Err(DataError::new(TABLES, format!("weapon_loss.order must be {}", order.join(", "))));
        }
        if tables.weapon_loss.cost.iter().chain([&tables.weapon_loss.torpedo_mount_cost]).any(|cost| *cost < 1) {
            return Err(DataError::new(TABLES, "every price of weapon_loss must be 1 or more"));
        }
        let attack_types = AttackType::ALL
            .iter()
            .map(|attack| {
                tables
                    .air_attack_type
                    .get(attack)
                    .copied()
                    .ok_or_else(|| DataError::new(TABLES, format!("air_attack_type has no value for {attack}")))
            })
            .collect::<Result<_, _>>()?;
        let structural = protected_rows("structural", &tables.structural, None)?;
        let carrier = protected_rows("carrier", &tables.carrier, Some(&structural))?;
        let scale = &tuning.scale;
        if scale.mm_per_range_band < 1 || scale.mm_per_knot < 1 || scale.max_range_band != RANGE_BANDS as i32 {
            let text = format!("scale needs positive lengths and max_range_band {RANGE_BANDS}, the rows of the tables");
            return Err(DataError::new(TUNING, text));
        }
        let divisors = &tuning.explosions;
        if [divisors.magazine_divisor, divisors.flashover_divisor, divisors.fuel_divisor]
            .iter()
            .any(|divisor| *divisor < 1)
        {
            return Err(DataError::new(TUNING, "the divisors of explosions must be 1 or more"));
        }
        Ok(Rules {
            hit_points: tables.aircraft_save_by_hit_points,
            bands: tables.bands,
            directed: tables.gunnery.directed,
            local: tables.gunnery.local,
            guns: tables.gunnery.guns_modifier,
            torpedo: tables.torpedo.to_hit,
            bow_arc: tables.torpedo.bow_arc,
            stern_arc: tables.torpedo.stern_arc,
            attack_types,
            weapon_cost: tables.weapon_loss.cost,
            torpedo_mount_cost: tables.weapon_loss.torpedo_mount_cost,
            structural,
            carrier,
            underwater: underwater_rows(&tables.underwater)?,
            location: locations(&tables.underwater_location)?,
            scale: tuning.scale,
            needs: tuning.base_numbers,
            movement: tuning.movement,
            spreads: tuning.torpedoes,
            reach: tuning.reach_mm,
            explosions: tuning.explosions,
            spotting: tuning.spotting,
            mine: mines.mine,
        })
    }

    /// The band of a number: 1 to 5 for what is positive, 0 for nothing, the sign kept for what is negative.
    #[must_use]
    pub fn band(&self, n: i32) -> i32 {
        if n == 0 { 0 } else { self.bands.of(n.abs()) * n.signum() }
    }

    /// The first number of each band, with the band in words.
    #[must_use]
    pub fn band_labels(&self) -> Vec<(i32, String)> {
        self.bands.labels()
    }

    /// The same for hit points.
    #[must_use]
    pub fn hit_point_labels(&self) -> Vec<(i32, String)> {
        self.hit_points.labels()
    }

    /// The saving throw modifier from hit points.
    #[must_use]
    pub fn hit_points(&self, hit_points: i32) -> i32 {
        self.hit_points.of(hit_points)
    }

    /// The range band of a distance: 1 or more.
    #[must_use]
    pub fn range_band(&self, mm: i32) -> i32 {
        let width = self.scale.mm_per_range_band;
        ((mm + width - 1) / width).max(1)
    }

    /// What guns need; beyond the last band, that of the last.
    #[must_use]
    pub fn guns_need(&self, control: Control, band: i32) -> i32 {
        let column = if control == Control::Directed { &self.directed } else { &self.local };
        column[at_band(band)]
    }

    /// What the number of guns adds.
    #[must_use]
    pub fn guns_modifier(&self, guns: i32) -> i32 {
        self.guns[(self.band(guns).clamp(1, 5) - 1) as usize]
    }

    /// What torpedoes need; beyond the last band, that of the last.
    #[must_use]
    pub fn torpedoes_need(&self, band: i32) -> i32 {
        self.torpedo[at_band(band)]
    }

    /// What a type of air attack adds.
    #[must_use]
    pub fn attack_type(&self, attack: AttackType) -> i32 {
        self.attack_types[attack as usize]
    }

    /// The price of a mount by its place in the order of loss.
    #[must_use]
    pub fn weapon_cost(&self, place: usize) -> i32 {
        self.weapon_cost[place.min(5)]
    }

    #[must_use]
    pub fn structural(&self, face: u8) -> ProtectedRow {
        self.structural[at_face(face)]
    }

    #[must_use]
    pub fn carrier(&self, face: u8) -> ProtectedRow {
        self.carrier[at_face(face)]
    }

    #[must_use]
    pub fn underwater(&self, column: Column, face: u8) -> Row {
        self.underwater[column as usize][at_face(face)]
    }

    /// Where a torpedo or mine strikes.
    #[must_use]
    pub fn location(&self, from: Approach, face: u8) -> Column {
        self.location[from as usize][usize::from(face.clamp(1, 10)) - 1]
    }
}

fn at_band(band: i32) -> usize {
    (band.clamp(1, RANGE_BANDS as i32) - 1) as usize
}

fn at_face(face: u8) -> usize {
    usize::from(face.clamp(1, 20)) - 1
}

impl BandTable {
    /// The one progression has a value for each limit and goes on with the last.
    fn check_progression(&self) -> Result<(), DataError> {
        self.check("bands")?;
        if self.value != [1, 2, 3, 4, 5] {
            return Err(DataError::new(TABLES, "bands.value must be 1 to 5"));
        }
        Ok(())
    }
}

fn fill<T: Copy>(table: &str, rows: &mut [Option<T>], faces: [u8; 2], row: T) -> Result<(), DataError> {
    let [first, last] = faces.map(usize::from);
    if first < 1 || last > rows.len() || first > last {
        return Err(DataError::new(TABLES, format!("{table}: {first} to {last} are not faces of the die")));
    }
    for place in &mut rows[first - 1..last] {
        if place.replace(row).is_some() {
            let text = format!("{table}: two results share a face between {first} and {last}");
            return Err(DataError::new(TABLES, text));
        }
    }
    Ok(())
}

fn whole<T: Copy, const N: usize>(table: &str, rows: &[Option<T>; N]) -> Result<[T; N], DataError> {
    if let Some(at) = rows.iter().position(Option::is_none) {
        return Err(DataError::new(TABLES, format!("{table}: face {} has no result", at + 1)));
    }
    let all: Vec<T> = rows.iter().copied().flatten().collect();
    all.try_into().map_err(|_| DataError::new(TABLES, format!("{table}: faces are missing")))
}

fn protected_rows(
    table: &str,
    raw: &BTreeMap<Row, RawRow>,
    first: Option<&[ProtectedRow; 20]>,
) -> Result<[ProtectedRow; 20], DataError> {
    let mut rows = [None; 20];
    for (&row, entry) in raw {
        fill(table, &mut rows, entry.faces, ProtectedRow { row, area: entry.protection.area() })?;
    }
    if let Some(first) = first {
        for (at, row) in first.iter().enumerate() {
            // The carrier table prints only what differs from the structural one.
            if rows[at].is_none() {
                rows[at] = Some(*row);
            }
        }
    }
    whole(table, &rows)
}

fn underwater_rows(raw: &BTreeMap<Row, [[u8; 2]; 3]>) -> Result<[[Row; 20]; 3], DataError> {
    let mut columns = [[None; 20]; 3];
    for (&row, faces) in raw {
        for (column, faces) in columns.iter_mut().zip(faces) {
            fill("underwater", column, *faces, row)?;
        }
    }
    Ok([
        whole("underwater, bow", &columns[0])?,
        whole("underwater, midships", &columns[1])?,
        whole("underwater, stern", &columns[2])?,
    ])
}

fn locations(raw: &BTreeMap<Approach, [u8; 3]>) -> Result<[[Column; 10]; 4], DataError> {
    let mut out = [[Column::Midships; 10]; 4];
    for &from in Approach::ALL {
        let last = raw
            .get(&from)
            .ok_or_else(|| DataError::new(TABLES, format!("underwater_location has no row for {from}")))?;
        if last[0] > last[1] || last[1] > last[2] || last[2] != 10 {
            return Err(DataError::new(TABLES, format!("underwater_location.{from} must rise and end with 10")));
        }
        for face in 1..=10u8 {
            let at = last.iter().position(|last| face <= *last).unwrap_or(2);
            out[from as usize][usize::from(face) - 1] = Column::ALL[at];
        }
    }
    Ok(out)
}
