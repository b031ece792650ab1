//! Whether guns find their target.

use super::*;
use crate::gunnery::{Shoot, Shooter};
use crate::rule;
use crate::throw::{Aim, Mark, Shot};
use flagplot_kernel::Ask;
use flagplot_referee::About;
use serde::Deserialize;

pub(super) fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![Box::new(GunneryToHit(Arc::clone(book)))]
}

/// A modifier as results list it.
#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct Named {
    name: &'static str,
    value: i32,
}

fn named(aim: &Aim) -> Vec<Named> {
    aim.modifiers.iter().map(|(name, value)| Named { name, value }).collect()
}

// ---- gunnery-to-hit -------------------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct ShooterInput {
    crew_quality: i32,
    gunnery_modifier: i32,
    splash: i32,
    fc: i32,
    amc: bool,
    shore_battery: bool,
}

impl ShooterInput {
    fn read(&self) -> Shooter {
        let ShooterInput { crew_quality, gunnery_modifier, splash, fc, amc, shore_battery } = *self;
        Shooter { crew_quality, gunnery_modifier, splash, fc, amc, ground: shore_battery.into() }
    }
}

fn shooter_shape() -> Shape {
    record(vec![
        quality(),
        or("gunnery_modifier", int(-20, 9), 0, "gunnery modifier"),
        splash("splash markers on the shooter"),
        or("fc", int(0, 9), 1, "directors left"),
        flag("amc", "she is an armed merchant cruiser"),
        flag("shore_battery", "the guns stand on land"),
    ])
}

#[derive(Deserialize)]
pub(super) struct MarkInput {
    #[serde(default)]
    size: i32,
    #[serde(default)]
    splash: i32,
    pub(super) speed: i32,
    #[serde(default)]
    sv: i32,
    pub(super) land: bool,
}

impl MarkInput {
    fn read(&self) -> Mark {
        Mark { size: self.size, splash: self.splash, speed: self.speed, sv: self.sv, ground: self.land.into() }
    }
}

#[derive(Deserialize)]
pub(super) struct ToHitInput {
    range_mm: Option<i32>,
    range_band: Option<i32>,
    max_band: Option<i32>,
    control: Control,
    pub(super) guns: i32,
    shooter: ShooterInput,
    pub(super) target: MarkInput,
    intervening_bases: i32,
    radar_bonus: bool,
}

impl ToHitInput {
    pub(super) fn shoot(&self, book: &Book, target: Mark, max_band: i32) -> Result<Shoot, Refusal> {
        let shoot = Shoot {
            band: band_of(book, self.range_mm, self.range_band)?,
            max_band: self.max_band.unwrap_or(max_band),
            control: self.control,
            guns: self.guns,
            shooter: self.shooter.read(),
            target,
            intervening_bases: self.intervening_bases,
            radar: self.radar_bonus,
        };
        shoot.check()?;
        Ok(shoot)
    }

    fn read(&self, book: &Book) -> Result<Shoot, Refusal> {
        self.shoot(book, self.target.read(), crate::book::RANGE_BANDS as i32)
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
pub(super) struct ToHitResult {
    range_band: i32,
    base: i32,
    modifier: i32,
    needed: i32,
    modifiers: Vec<Named>,
    reroll_misses: bool,
    hit: bool,
    rerolled: bool,
}

impl ToHitResult {
    pub(super) fn new(shoot: &Shoot, aim: &Aim, shot: Shot) -> Self {
        Self {
            range_band: shoot.band,
            base: aim.base,
            modifier: aim.modifiers.total(),
            needed: aim.needed(),
            modifiers: named(aim),
            reroll_misses: aim.rerolls(),
            hit: shot.hit,
            rerolled: shot.rerolled,
        }
    }
}

pub(super) fn to_hit_fields(target: Vec<Field>) -> Vec<Field> {
    let mut fields = range_fields().to_vec();
    fields.extend([
        opt("max_band", int(1, 5), "the last band the battery reaches; 5, or that of the gun given"),
        req("control", words(Control::WORDS), "how the guns are laid"),
        req("guns", int(1, 99), "guns that shoot"),
        req("shooter", shooter_shape(), "who shoots"),
        req("target", record(target), "at what"),
        or("intervening_bases", int(0, 99), 0, "ships in the line between"),
        flag("radar_bonus", "gunnery radar adds 1"),
    ]);
    fields
}

pub(super) fn to_hit_answers() -> Vec<Field> {
    vec![
        req("range_band", number(), "the range band"),
        req("base", number(), "the number of the table"),
        req("modifier", number(), "all modifiers together"),
        req("needed", number(), "the lowest face that hits"),
        req("modifiers", modifiers_shape(), "each modifier that is not 0"),
        req("reroll_misses", bool(), "whether a miss is rolled again"),
        req("hit", bool(), "whether it hits"),
        req("rerolled", bool(), "whether it was rolled again"),
    ]
}

fn check_to_hit(book: &Book, input: &ToHitInput) -> Result<(), Refusal> {
    input.read(book).map(|_| ())
}

fn run_to_hit(book: &Book, input: &ToHitInput, ask: &mut impl Ask) -> Result<ToHitResult, Halt> {
    let shoot = input.read(book)?;
    let aim = shoot.aim(book);
    let shot = aim.shoot(ask)?;
    Ok(ToHitResult::new(&shoot, &aim, shot))
}

procedure!(GunneryToHit: ToHitInput => ToHitResult, About {
    name: "gunnery-to-hit",
    help: "Whether the guns of one battery find their target.",
    dice: "d20, and a d20 for a miss that is rolled again",
    input: record(to_hit_fields(vec![size(0), splash("splash markers on the target"), speed(), sv(), land()])),
    result: record(to_hit_answers()),
    rules: &[rule::S9_5, rule::R_2, rule::R_3, rule::R_43, rule::C_8],
}, check_to_hit, run_to_hit);
