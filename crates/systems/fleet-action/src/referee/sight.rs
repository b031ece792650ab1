//! Initiative, visibility and spotting.

use super::*;
use crate::initiative;
use crate::rule;
use crate::sight::{Line, Lookout, Permission, Spotted};
use flagplot_kernel::Ask;
use flagplot_referee::About;
use serde::Deserialize;

pub(super) fn start(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![Box::new(InitiativeModifier(Arc::clone(book))), Box::new(InitiativeRoll(Arc::clone(book)))]
}

pub(super) fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![Box::new(Visibility(Arc::clone(book))), Box::new(SpottingProcedure(Arc::clone(book)))]
}

// ---- initiative -----------------------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct TotalInput {
    total: i32,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct TotalResult {
    total: i32,
    modifier: i32,
}

fn run_total(book: &Book, input: &TotalInput, ask: &mut impl Ask) -> Result<TotalResult, Halt> {
    Ok(TotalResult { total: input.total, modifier: initiative::modifier(book, input.total, ask) })
}

procedure!(InitiativeModifier: TotalInput => TotalResult, About {
    name: "initiative-modifier",
    help: "What a side's command total adds to its initiative.",
    dice: "none",
    input: record(vec![req("total", int(-200, 200), "the command values of a side together")]),
    result: answers(&[("total", number(), "the total"), ("modifier", number(), "what it adds")]),
    rules: &[rule::S6_1, rule::R_1, rule::BANDS],
}, no_check, run_total);

#[derive(Deserialize)]
struct InitiativeInput {
    a_total: i32,
    b_total: i32,
    holder: Holder,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct InitiativeResult {
    a_modifier: i32,
    b_modifier: i32,
    a_score: i32,
    b_score: i32,
    tie: bool,
    winner: SideName,
}

fn run_initiative(book: &Book, input: &InitiativeInput, ask: &mut impl Ask) -> Result<InitiativeResult, Halt> {
    let rolled = initiative::roll(book, [input.a_total, input.b_total], input.holder, ask)?;
    let ([a_modifier, b_modifier], [a_score, b_score]) = (rolled.modifiers, rolled.scores);
    Ok(InitiativeResult { a_modifier, b_modifier, a_score, b_score, tie: a_score == b_score, winner: rolled.winner })
}

procedure!(InitiativeRoll: InitiativeInput => InitiativeResult, About {
    name: "initiative",
    help: "Which side has the initiative this turn.",
    dice: "a d10 for side a, a d10 for side b",
    input: record(vec![
        req("a_total", int(-200, 200), "command total of side a"),
        req("b_total", int(-200, 200), "command total of side b"),
        or("holder", words(Holder::WORDS), "none", "who had it before"),
    ]),
    result: answers(&[
        ("a_modifier", number(), "what side a adds"),
        ("b_modifier", number(), "what side b adds"),
        ("a_score", number(), "the score of side a"),
        ("b_score", number(), "the score of side b"),
        ("tie", bool(), "whether they are equal"),
        ("winner", words(SideName::WORDS), "who has the initiative"),
    ]),
    rules: &[rule::S6_1, rule::R_1, rule::R_36],
}, no_check, run_initiative);

// ---- visibility and spotting ----------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct SightInput {
    light: Light,
    range_mm: Option<i32>,
    range_band: Option<i32>,
    sd: i32,
    tvr: i32,
    obscured: bool,
    battery_radar: bool,
    illuminated: bool,
}

impl SightInput {
    fn read(&self, book: &Book) -> Result<Line, Refusal> {
        let band = band_of(book, self.range_mm, self.range_band)?;
        Ok(Line {
            light: self.light,
            band,
            sd: self.sd,
            tvr: self.tvr,
            obscured: self.obscured,
            illuminated: self.illuminated,
        })
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct SightResult {
    row: SightRow,
    range_band: i32,
    guns: Leave,
    torpedo_aimed: Leave,
    torpedo_wide_spread: Leave,
    guns_bonus: i32,
}

fn check_sight(book: &Book, input: &SightInput) -> Result<(), Refusal> {
    input.read(book).map(|_| ())
}

fn run_sight(book: &Book, input: &SightInput, ask: &mut impl Ask) -> Result<SightResult, Halt> {
    let line = input.read(book)?;
    let Permission { row, guns, aimed, wide_spread, guns_bonus } = line.permission(input.battery_radar, ask);
    Ok(SightResult {
        row,
        range_band: line.band,
        guns,
        torpedo_aimed: aimed,
        torpedo_wide_spread: wide_spread,
        guns_bonus,
    })
}

procedure!(Visibility: SightInput => SightResult, About {
    name: "visibility",
    help: "Whether guns may shoot and torpedoes may be launched at a target.",
    dice: "none",
    input: {
        let mut fields = vec![req("light", words(Light::WORDS), "day or night")];
        fields.extend(range_fields());
        fields.extend([
            req("sd", int(0, 9), "spotting distance of the ship in bands"),
            req("tvr", int(0, 9), "tactical visibility range in bands"),
            flag("obscured", "smoke, weather or land hides the target"),
            flag("battery_radar", "the battery has gunnery radar"),
            flag("illuminated", "the target is lit"),
        ]);
        record(fields)
    },
    result: answers(&[
        ("row", words(SightRow::WORDS), "the row that applies"),
        ("range_band", number(), "the range band"),
        ("guns", words(Leave::WORDS), "guns"),
        ("torpedo_aimed", words(Leave::WORDS), "torpedoes at a ship"),
        ("torpedo_wide_spread", words(Leave::WORDS), "torpedoes into an area"),
        ("guns_bonus", number(), "what radar adds to the guns"),
    ]),
    rules: &[rule::S9_1, rule::R_28, rule::R_29, rule::R_50, rule::R_51],
}, check_sight, run_sight);

#[derive(Deserialize)]
struct SpotInput {
    light: Light,
    range_mm: i32,
    sd: i32,
    tvr: i32,
    obscured: bool,
    search_radar: bool,
    illuminated: bool,
    target_size: i32,
    crew_quality: i32,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct SpotResult {
    possible: bool,
    automatic: bool,
    modifier: i32,
    spotted: bool,
}

fn run_spot(book: &Book, input: &SpotInput, ask: &mut impl Ask) -> Result<SpotResult, Halt> {
    let SpotInput { light, range_mm, sd, tvr, obscured, search_radar, illuminated, target_size, crew_quality } = *input;
    let line = Line { light, band: book.range_band(range_mm), sd, tvr, obscured, illuminated };
    let Spotted { possible, automatic, modifier, spotted } =
        Lookout { line, range_mm, search_radar, target_size, crew_quality }.look(book, ask)?;
    Ok(SpotResult { possible, automatic, modifier, spotted })
}

procedure!(SpottingProcedure: SpotInput => SpotResult, About {
    name: "spotting",
    help: "Whether a ship makes out what a contact is.",
    dice: "a d10, unless it is seen without a roll or not at all",
    input: record(vec![
        req("light", words(Light::WORDS), "day or night"),
        req("range_mm", range_mm(), "the distance"),
        req("sd", int(0, 9), "spotting distance of the ship in bands"),
        req("tvr", int(0, 9), "tactical visibility range in bands"),
        flag("obscured", "smoke, weather or land hides the contact"),
        flag("search_radar", "the ship has search radar"),
        flag("illuminated", "the contact is lit"),
        req("target_size", int(-4, 3), "size of the largest ship in the contact"),
        quality(),
    ]),
    result: answers(&[
        ("possible", bool(), "whether it could be seen at all"),
        ("automatic", bool(), "whether it was seen without a roll"),
        ("modifier", number(), "what is added to the roll; 0 without one"),
        ("spotted", bool(), "whether it was seen"),
    ]),
    rules: &[rule::C_6],
}, no_check, run_spot);
