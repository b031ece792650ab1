//! The five combat charts: total tables out of `tables.toml`, and the overflow rule.

use crate::rule;
use flagplot_kernel::{Ask, Axis, Band, DataError, Files, Rule, Table};
use flagplot_referee::{Shaped, text, word, words};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

const FILE: &str = "tables.toml";

/// A cell of the attrition table: counters **and** hexes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AttritionCell {
    pub counters: u32,
    pub hexes: u32,
}

impl fmt::Display for AttritionCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.counters, self.hexes) {
            (0, 0) => f.write_str("-"),
            (counters, 0) => write!(f, "{counters}C"),
            (0, hexes) => write!(f, "{hexes}H"),
            (counters, hexes) => write!(f, "{counters}C/{hexes}H"),
        }
    }
}

impl FromStr for AttritionCell {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut cell = Self::default();
        let mut read = |part: &str| {
            match (part.strip_suffix('C'), part.strip_suffix('H')) {
                (Some(digits), _) => cell.counters = digits.parse().ok()?,
                (_, digits) => cell.hexes = digits?.parse().ok()?,
            }
            Some(())
        };
        if text == "-" || text.split('/').all(|part| read(part).is_some()) {
            Ok(cell)
        } else {
            Err(format!("'{text}' is not an attrition result such as 2C/1H"))
        }
    }
}

/// Units eliminated and units aborted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Toll {
    pub eliminated: u32,
    /// Driven off alive.
    pub aborted: u32,
}

impl fmt::Display for Toll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.eliminated, self.aborted)
    }
}

impl FromStr for Toll {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(eliminated, aborted)| {
            Some(Self { eliminated: eliminated.parse().ok()?, aborted: aborted.parse().ok()? })
        });
        parts.ok_or_else(|| format!("'{text}' is not an air result such as 1/2"))
    }
}

/// A result of the ground combat table, the worst for the attacker first.
#[words]
pub enum GroundResult {
    #[word("A")]
    AttackerLoses,
    #[word("a")]
    AttackerHalf,
    #[word("Ex")]
    Exchange,
    #[word("Ex-1")]
    ExchangeLessOne,
    #[word("Ex-2")]
    ExchangeLessTwo,
    #[word("d")]
    DefenderHalf,
    #[word("D")]
    DefenderLoses,
}

/// A column of the ground combat table, the worst for the attacker first.
#[words]
pub enum OddsColumn {
    #[word("1:4")]
    OneToFour,
    #[word("1:3")]
    OneToThree,
    #[word("1:2")]
    OneToTwo,
    #[word("1:1")]
    Even,
    #[word("2:1")]
    TwoToOne,
    #[word("3:1")]
    ThreeToOne,
    #[word("4:1")]
    FourToOne,
    #[word("5:1")]
    FiveToOne,
}

/// A column of a table for two dice: 2 to 11, and 12+.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Shaped)]
#[shape(with = word(&TWO_DICE))]
pub struct DiceColumn(u8);

impl DiceColumn {
    /// The column of a modified roll; beyond an end, that end.
    #[must_use]
    pub fn of(roll: i32) -> Self {
        Self((roll.clamp(2, 12) - 2) as u8)
    }
}

impl Serialize for DiceColumn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(TWO_DICE[usize::from(self.0)])
    }
}

/// A row of the naval attack table: its fleet factors from and to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Shaped)]
#[shape(with = text(8))]
pub struct FactorRow {
    pub from: u32,
    pub to: u32,
}

impl fmt::Display for FactorRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from == self.to { write!(f, "{}", self.from) } else { write!(f, "{}-{}", self.from, self.to) }
    }
}

impl Serialize for FactorRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What was read off a table of which several rows may count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reading<R, T> {
    pub rows: Vec<R>,
    pub column: DiceColumn,
    pub sum: T,
}

/// The rows for a number that may exceed the table: the top row as often as it goes, then the row of the rest.
pub fn overflow(number: u32, top: u32) -> impl Iterator<Item = u32> {
    let rest = number % top;
    std::iter::repeat_n(top, (number / top) as usize).chain((rest > 0).then_some(rest))
}

#[derive(Clone, Debug)]
pub struct Charts {
    /// 14.41: the modified die down, attritioning factors across.
    pub attrition: Table<AttritionCell>,
    /// 15.6: the modified die down, [`OddsColumn`] across.
    pub ground: Table<GroundResult>,
    /// 19.2: units engaged down, two dice across.
    pub air_combat: Table<Toll>,
    /// 23.42: air defense level down, two dice across.
    pub air_defense: Table<Toll>,
    /// 22.55: fleet factors down, two dice across.
    pub naval_attack: Table<u32>,
    /// The fleet factors whose row a number of air squadrons uses, from one squadron on.
    squadron_rows: Vec<u32>,
    factor_rows: Vec<FactorRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TablesFile {
    attrition: Plain,
    crt: Plain,
    air_combat: Plain,
    air_defense: Plain,
    naval_attack: Naval,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plain {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Naval {
    columns: Vec<String>,
    rows: Vec<NavalRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NavalRow {
    air_squadrons: u32,
    fleet_factors: [u32; 2],
    hits: Vec<u32>,
}

impl NavalRow {
    fn row(&self) -> FactorRow {
        FactorRow { from: self.fleet_factors[0], to: self.fleet_factors[1] }
    }
}

const TWO_DICE: [&str; 11] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12+"];

fn error(table: &str, message: impl fmt::Display) -> DataError {
    DataError::new(FILE, format!("{table}: {message}"))
}

fn table<T>(id: &str, plain: &Plain, rows: Axis, columns: Axis) -> Result<Table<T>, DataError>
where
    T: FromStr<Err: fmt::Display> + fmt::Display,
{
    let cells = plain.rows.iter().map(|row| row.iter().map(|cell| cell.parse()).collect::<Result<Vec<T>, _>>());
    let cells = cells.collect::<Result<Vec<_>, _>>().map_err(|why| error(id, why))?;
    Table::new(id, rows, columns, cells).map_err(|why| error(id, why))
}

fn two_dice(id: &str, columns: &[String]) -> Result<Axis, DataError> {
    if columns != TWO_DICE {
        return Err(error(id, format!("two dice need the columns {}", TWO_DICE.join(", "))));
    }
    Axis::new("two dice", columns).map_err(|why| error(id, why))
}

/// Rows numbered from `first`, with a `+` after the last if it is open.
fn numbered(id: &str, name: &str, first: usize, count: usize, rows: usize, open: &str) -> Result<Axis, DataError> {
    if rows != count {
        return Err(error(id, format!("there are {rows} rows; the chart has {count}")));
    }
    let labels: Vec<String> = (first..first + count)
        .map(|n| if n + 1 == first + count { format!("{n}{open}") } else { n.to_string() })
        .collect();
    Axis::new(name, &labels).map_err(|why| error(id, why))
}

impl Charts {
    /// Reads and checks `tables.toml`.
    pub fn new(files: &Files) -> Result<Self, DataError> {
        let file: TablesFile = files.parse(FILE)?;

        let rows = numbered("attrition", "die", 0, 12, file.attrition.rows.len(), "+")?;
        let columns =
            Axis::new("attritioning factors", &file.attrition.columns).map_err(|why| error("attrition", why))?;
        if columns.bands[0].low != Some(1) || columns.bands.last().is_some_and(|band| band.high.is_some()) {
            return Err(error("attrition", "the columns must reach from 1 factor to any number"));
        }
        let attrition = table("attrition", &file.attrition, rows, columns)?;

        if file.crt.columns != OddsColumn::WORDS {
            return Err(error("crt", format!("the columns must be {}", OddsColumn::WORDS.join(", "))));
        }
        let bands = OddsColumn::ALL.iter().map(|&column| Band {
            label: column.to_string(),
            low: Some(column as i64),
            high: Some(column as i64),
        });
        let columns = Axis { name: "odds".to_owned(), bands: bands.collect() };
        let ground = table("crt", &file.crt, numbered("crt", "die", 1, 6, file.crt.rows.len(), "")?, columns)?;

        let rows = numbered("air_combat", "units engaged", 1, 20, file.air_combat.rows.len(), "")?;
        let air_combat =
            table("air_combat", &file.air_combat, rows, two_dice("air_combat", &file.air_combat.columns)?)?;
        let rows = numbered("air_defense", "air defense level", 1, 10, file.air_defense.rows.len(), "")?;
        let air_defense =
            table("air_defense", &file.air_defense, rows, two_dice("air_defense", &file.air_defense.columns)?)?;

        let (naval_attack, squadron_rows) = Self::naval(&file.naval_attack)?;
        let factor_rows = file.naval_attack.rows.iter().map(NavalRow::row).collect();
        let charts = Self { attrition, ground, air_combat, air_defense, naval_attack, squadron_rows, factor_rows };
        charts.rise()?;
        Ok(charts)
    }

    fn naval(file: &Naval) -> Result<(Table<u32>, Vec<u32>), DataError> {
        const ID: &str = "naval_attack";
        let labels: Vec<String> = file.rows.iter().map(|row| row.row().to_string()).collect();
        let rows = Axis::new("fleet factors", &labels).map_err(|why| error(ID, why))?;
        if rows.bands[0].low != Some(1) {
            return Err(error(ID, "the rows must begin with 1 fleet factor"));
        }
        let cells = file.rows.iter().map(|row| row.hits.clone()).collect();
        let table = Table::new(ID, rows, two_dice(ID, &file.columns)?, cells).map_err(|why| error(ID, why))?;
        let mut squadron_rows = Vec::new();
        for row in file.rows.iter().filter(|row| row.air_squadrons > 0) {
            let (next, factors) = (squadron_rows.len() as u32 + 1, row.fleet_factors[1]);
            if row.air_squadrons != next || factors != 3 * next {
                let why = format!(
                    "the row of {} squadrons ends with {factors} fleet factors; {next} squadrons belong to the row \
                     that ends with {}",
                    row.air_squadrons,
                    3 * next
                );
                return Err(error(ID, why));
            }
            squadron_rows.push(factors);
        }
        if file.rows.last().is_some_and(|row| row.air_squadrons == 0) || squadron_rows.is_empty() {
            return Err(error(ID, "the last row must serve squadrons too, so that both can overflow"));
        }
        Ok((table, squadron_rows))
    }

    /// More factors, squadrons, levels or pips never do less.
    fn rise(&self) -> Result<(), DataError> {
        fn rises<T: fmt::Display>(table: &Table<T>, worth: impl Fn(&T) -> u32) -> Result<(), DataError> {
            let (rows, columns) = (&table.rows.bands, &table.columns.bands);
            for (r, row) in table.cells().iter().enumerate() {
                for (c, cell) in row.iter().enumerate() {
                    let (row_label, column_label) = (&rows[r].label, &columns[c].label);
                    if c > 0 && worth(&row[c - 1]) > worth(cell) {
                        let before = &row[c - 1];
                        let why =
                            format!("row {row_label}: {cell} in column {column_label} is less than {before} before it");
                        return Err(error(&table.id, why));
                    }
                    if r > 0 && worth(&table.cells()[r - 1][c]) > worth(cell) {
                        let above = &table.cells()[r - 1][c];
                        let why =
                            format!("column {column_label}: {cell} in row {row_label} is less than {above} above it");
                        return Err(error(&table.id, why));
                    }
                }
            }
            Ok(())
        }
        rises(&self.attrition, |cell| 3 * cell.hexes + 2 * cell.counters)?;
        rises(&self.ground, |result| *result as u32)?;
        rises(&self.air_combat, |toll| 3 * toll.eliminated + 2 * toll.aborted)?;
        rises(&self.air_defense, |toll| 3 * toll.eliminated + 2 * toll.aborted)?;
        rises(&self.naval_attack, |hits| *hits)
    }

    /// Reads the air combat table for a number of units engaged.
    pub fn air_combat(&self, ask: &mut impl Ask, engaged: u32, roll: i32) -> Reading<u32, Toll> {
        tolls(&self.air_combat, ask, rule::AIR_TABLE, engaged, roll)
    }

    /// Reads the air defense table for a level.
    pub fn air_defense(&self, ask: &mut impl Ask, level: u32, roll: i32) -> Reading<u32, Toll> {
        tolls(&self.air_defense, ask, rule::AIR_DEFENSE_TABLE, level, roll)
    }

    /// Reads the naval attack table for fleet factors.
    pub fn fleet_attack(&self, ask: &mut impl Ask, factors: u32, roll: i32) -> Reading<FactorRow, u32> {
        let top = self.squadron_rows[self.squadron_rows.len() - 1];
        self.hits(ask, overflow(factors, top), roll)
    }

    /// Reads the naval attack table for air squadrons.
    pub fn air_attack(&self, ask: &mut impl Ask, squadrons: u32, roll: i32) -> Reading<FactorRow, u32> {
        let rows = overflow(squadrons, self.squadron_rows.len() as u32);
        self.hits(ask, rows.map(|squadrons| self.squadron_rows[squadrons as usize - 1]), roll)
    }

    fn hits(&self, ask: &mut impl Ask, factors: impl Iterator<Item = u32>, roll: i32) -> Reading<FactorRow, u32> {
        let table = &self.naval_attack;
        let mut reading = Reading { rows: Vec::new(), column: DiceColumn::of(roll), sum: 0 };
        for factors in factors {
            reading.sum += table.read(ask, rule::NAVAL_TABLE, i64::from(factors), i64::from(roll));
            reading.rows.push(self.factor_rows[table.rows.find(i64::from(factors))]);
        }
        reading
    }
}

fn tolls(table: &Table<Toll>, ask: &mut impl Ask, rule: Rule, number: u32, roll: i32) -> Reading<u32, Toll> {
    let mut reading = Reading { rows: Vec::new(), column: DiceColumn::of(roll), sum: Toll::default() };
    for row in overflow(number, table.cells().len() as u32) {
        let toll = table.read(ask, rule, i64::from(row), i64::from(roll));
        reading.sum.eliminated += toll.eliminated;
        reading.sum.aborted += toll.aborted;
        reading.rows.push(row);
    }
    reading
}

/// The heading a number falls under; beyond an end, that end.
#[must_use]
pub fn heading(axis: &Axis, number: i64) -> String {
    axis.bands[axis.find(number)].label.clone()
}
