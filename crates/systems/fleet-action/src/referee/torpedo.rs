//! Torpedoes.

use super::*;
use crate::rule;
use crate::throw::{Mark, Salvo};
use crate::torpedo::{self, Spread};
use flagplot_kernel::Ask;
use flagplot_referee::About;
use serde::Deserialize;

pub(super) fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![Box::new(TorpedoAttack(Arc::clone(book))), Box::new(UnderwaterLocation(Arc::clone(book)))]
}

// ---- torpedoes ------------------------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct LauncherInput {
    crew_quality: i32,
    splash: i32,
}

#[derive(Deserialize)]
struct TorpedoTarget {
    size: i32,
    arc: Aspect,
    speed: i32,
    sv: i32,
    land: bool,
}

#[derive(Deserialize)]
struct TorpedoInput {
    torpedoes: i32,
    range_mm: Option<i32>,
    range_band: Option<i32>,
    max_band: i32,
    mode: Mode,
    setting_modifier: i32,
    shooter: LauncherInput,
    target: TorpedoTarget,
}

impl TorpedoInput {
    fn read(&self, book: &Book) -> Result<Spread, Refusal> {
        let target = &self.target;
        torpedo::check_size(target.size)?;
        Ok(Spread {
            torpedoes: self.torpedoes,
            band: band_of(book, self.range_mm, self.range_band)?,
            max_band: self.max_band,
            mode: self.mode,
            setting_modifier: self.setting_modifier,
            crew_quality: self.shooter.crew_quality,
            splash: self.shooter.splash,
            target: Mark {
                size: target.size,
                splash: 0,
                speed: target.speed,
                sv: target.sv,
                ground: target.land.into(),
            },
            aspect: target.arc,
        })
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct TorpedoResult {
    range_band: i32,
    base: i32,
    modifier: i32,
    needed: i32,
    dice: i32,
    out_of_range: bool,
    hits: i32,
}

fn check_torpedoes(book: &Book, input: &TorpedoInput) -> Result<(), Refusal> {
    input.read(book).map(|_| ())
}

fn run_torpedoes(book: &Book, input: &TorpedoInput, ask: &mut impl Ask) -> Result<TorpedoResult, Halt> {
    let spread = input.read(book)?;
    let Salvo { dice, aim, .. } = spread.salvo(book);
    let mut result = TorpedoResult {
        range_band: spread.band,
        base: 0,
        modifier: aim.modifiers.total(),
        needed: 0,
        dice: 0,
        out_of_range: spread.out_of_range(),
        hits: 0,
    };
    if spread.out_of_range() {
        ask.note(|| {
            flagplot_kernel::Note::new(
                "out-of-range",
                format!("RB {} is beyond RB {}: the torpedoes run out", spread.band, spread.max_band),
            )
            .by(&[rule::C_9])
        });
        return Ok(result);
    }
    result.hits = spread.salvo(book).fire(ask)?.hits;
    (result.base, result.needed, result.dice) = (aim.base, aim.needed(), dice);
    Ok(result)
}

procedure!(TorpedoAttack: TorpedoInput => TorpedoResult, About {
    name: "torpedo-attack",
    help: "How many torpedoes of one attack hit one target.",
    dice: "a d20 for each band of torpedoes, a re-roll directly after its miss",
    input: {
        let mut fields = vec![req("torpedoes", int(1, 40), "how many")];
        fields.extend(range_fields());
        fields.extend([
            or("max_band", int(1, 5), 5, "the last band of the speed setting"),
            or("mode", words(Mode::WORDS), "aimed", "aimed at a ship or into an area"),
            or("setting_modifier", int(-2, 2), 0, "what the speed setting adds"),
            req("shooter", record(vec![quality(), splash("splash markers on the launcher")]), "who launches"),
            req("target", record(vec![size(0), or("arc", words(Aspect::WORDS), "beam", "what they run into"), speed(), sv(), land()]), "at what"),
        ]);
        record(fields)
    },
    result: answers(&[
        ("range_band", number(), "the range band"),
        ("base", number(), "the number of the table; 0 out of range"),
        ("modifier", number(), "all modifiers together"),
        ("needed", number(), "the lowest face that hits; 0 out of range"),
        ("dice", number(), "dice rolled"),
        ("out_of_range", bool(), "whether they ran out before the target"),
        ("hits", number(), "hits"),
    ]),
    rules: &[rule::S9_7, rule::C_9, rule::R_4, rule::R_43],
}, check_torpedoes, run_torpedoes);

#[derive(Deserialize)]
struct LocationInput {
    from: Approach,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct LocationResult {
    column: Column,
}

fn run_location(book: &Book, input: &LocationInput, ask: &mut impl Ask) -> Result<LocationResult, Halt> {
    Ok(LocationResult { column: torpedo::location(book, input.from, ask)? })
}

procedure!(UnderwaterLocation: LocationInput => LocationResult, About {
    name: "underwater-location",
    help: "Where a torpedo or mine strikes.",
    dice: "d10",
    input: record(vec![req("from", words(Approach::WORDS), "where it comes from")]),
    result: answers(&[("column", words(Column::WORDS), "where it strikes")]),
    rules: &[rule::C_9],
}, no_check, run_location);
