//! Light guns, and guns at small craft.

use super::*;
use crate::gunnery::{BoatShoot, Boats, Shoot, Shooter};
use crate::light_guns::LightFire;
use crate::rule;
use crate::throw::{Fallen, Ground, Mark, Salvo};
use flagplot_kernel::Ask;
use flagplot_referee::About;
use serde::Deserialize;

pub(super) fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![Box::new(CrfMrfFire(Arc::clone(book))), Box::new(TypeXGunnery(Arc::clone(book)))]
}

// ---- light guns and small craft -------------------------------------------------------------------------------------

/// A target of light guns: a stand has vessels, a ship has none.
#[derive(Deserialize)]
pub(super) struct SmallTarget {
    class: TargetClass,
    size: Option<i32>,
    splash: i32,
    speed: i32,
    sv: i32,
    land: bool,
    vessels: Option<i32>,
    save_modifier: Option<i32>,
}

impl SmallTarget {
    pub(super) fn read(&self) -> Result<(TargetClass, Mark, Option<Boats>), Refusal> {
        let path = "input.target";
        let boats = if self.class == TargetClass::TypeX {
            Some(Boats {
                vessels: self.vessels.ok_or_else(|| missing(path, "vessels"))?,
                save_modifier: self.save_modifier.unwrap_or(0),
            })
        } else {
            let given = [("vessels", self.vessels), ("save_modifier", self.save_modifier)]
                .into_iter()
                .find(|(_, value)| value.is_some());
            match given {
                Some((field, _)) => return Err(unwanted(path, field, "only a Type X stand has it")),
                None => None,
            }
        };
        let size = self.size.unwrap_or(if boats.is_some() { -4 } else { 0 });
        Ok((
            self.class,
            Mark { size, splash: self.splash, speed: self.speed, sv: self.sv, ground: self.land.into() },
            boats,
        ))
    }

    pub(super) fn splash_after(&self, hits: i32) -> i32 {
        self.splash + i32::from(hits > 0)
    }
}

pub(super) fn small_target_shape() -> Shape {
    record(vec![
        req("class", words(TargetClass::WORDS), "what kind of target"),
        opt("size", int(-4, 3), "size; -4 for type-x, else 0"),
        splash("splash markers on the target"),
        speed(),
        sv(),
        land(),
        opt("vessels", int(1, 12), "vessels of a Type X stand"),
        opt("save_modifier", int(-2, 1), "saving throw modifier of a Type X stand; 0"),
    ])
}

/// What light guns and aircraft guns did.
#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
pub(super) struct Peppered {
    pub(super) save_modifier: i32,
    pub(super) hits: i32,
    pub(super) failed_saves: i32,
    pub(super) vessels: i32,
    pub(super) structure_lost: i32,
    pub(super) splash: i32,
}

impl Peppered {
    pub(super) fn new(salvo: &Salvo<'_>, fallen: &Fallen, target: &SmallTarget, boats: Option<Boats>) -> Self {
        Self {
            save_modifier: salvo.saves.as_ref().map_or(0, |saves| saves.modifiers.total()),
            hits: fallen.hits,
            failed_saves: fallen.failed,
            vessels: boats.map_or(0, |boats| (boats.vessels - fallen.failed).max(0)),
            structure_lost: if boats.is_some() { 0 } else { fallen.failed },
            splash: target.splash_after(fallen.hits),
        }
    }
}

pub(super) fn peppered_answers() -> Vec<(&'static str, Shape, &'static str)> {
    vec![
        ("save_modifier", number(), "what is added to each saving throw"),
        ("hits", number(), "hits"),
        ("failed_saves", number(), "saving throws failed"),
        ("vessels", number(), "vessels left of a stand; 0 for a ship"),
        ("structure_lost", number(), "structure lost by a ship"),
        ("splash", number(), "splash markers on the target afterwards"),
    ]
}

#[derive(Deserialize)]
struct LightInput {
    weapon: LightGuns,
    factors: i32,
    firing_vessels: Option<i32>,
    range_mm: i32,
    shooter_splash: i32,
    target: SmallTarget,
}

impl LightInput {
    fn read(&self, book: &Book) -> Result<LightFire, Refusal> {
        let (class, target, boats) = self.target.read()?;
        let LightInput { weapon, factors, firing_vessels, range_mm, shooter_splash, .. } = *self;
        let fire = LightFire { weapon, factors, firing_vessels, range_mm, shooter_splash, class, target, boats };
        fire.check(book)?;
        Ok(fire)
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct LightResult {
    attacks: i32,
    modifier: i32,
    needed: i32,
    #[serde(flatten)]
    peppered: Peppered,
}

fn light_result(salvo: &Salvo<'_>, fallen: &Fallen, input: &LightInput, boats: Option<Boats>) -> LightResult {
    LightResult {
        attacks: salvo.dice,
        modifier: salvo.aim.modifiers.total(),
        needed: salvo.aim.needed(),
        peppered: Peppered::new(salvo, fallen, &input.target, boats),
    }
}

fn check_light(book: &Book, input: &LightInput) -> Result<(), Refusal> {
    input.read(book).map(|_| ())
}

fn run_light(book: &Book, input: &LightInput, ask: &mut impl Ask) -> Result<LightResult, Halt> {
    let fire = input.read(book)?;
    let salvo = fire.salvo(book);
    let fallen = salvo.fire(ask)?;
    Ok(light_result(&salvo, &fallen, input, fire.boats))
}

fn odds_light(book: &Book, input: &LightInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
    let fire = input.read(book)?;
    let salvo = fire.salvo(book);
    process_odds(&salvo, Fallen::default(), |fallen| light_result(&salvo, fallen, input, fire.boats), wanted, budget)
}

procedure!(CrfMrfFire: LightInput => LightResult, About {
    name: "crf-mrf-fire",
    help: "Light guns at a Type X stand or a small or merchant vessel.",
    dice: "a d20 for each attack (a re-roll directly after its miss), then a d10 for each hit",
    input: record(vec![
        req("weapon", words(LightGuns::WORDS), "which guns"),
        req("factors", int(1, 60), "factors used"),
        opt("firing_vessels", int(1, 12), "vessels of a Type X stand that shoots"),
        req("range_mm", range_mm(), "the distance"),
        or("shooter_splash", int(0, 99), 0, "splash markers on the shooter"),
        req("target", small_target_shape(), "at what"),
    ]),
    result: {
        let mut fields = vec![("attacks", number(), "attacks made"), ("modifier", number(), "all modifiers together"), ("needed", number(), "the lowest face that hits")];
        fields.extend(peppered_answers());
        answers(&fields)
    },
    rules: &[rule::S9_8, rule::R_5, rule::R_30, rule::R_37, rule::C_10],
}, check_light, run_light, odds_light);

#[derive(Deserialize)]
struct BoatShooter {
    crew_quality: i32,
    gunnery_modifier: i32,
    splash: i32,
    shore_battery: bool,
}

#[derive(Deserialize)]
struct BoatTarget {
    vessels: i32,
    save_modifier: i32,
    size: i32,
    splash: i32,
    speed: i32,
    land: bool,
}

#[derive(Deserialize)]
struct BoatInput {
    calibre_mm: i32,
    range_mm: Option<i32>,
    range_band: Option<i32>,
    guns: i32,
    shooter: BoatShooter,
    target: BoatTarget,
    intervening_bases: i32,
    radar_bonus: bool,
}

impl BoatInput {
    fn read(&self, book: &Book) -> Result<BoatShoot, Refusal> {
        let BoatShooter { crew_quality, gunnery_modifier, splash, shore_battery } = self.shooter;
        let ground: Ground = shore_battery.into();
        let shoot = BoatShoot {
            shoot: Shoot {
                band: band_of(book, self.range_mm, self.range_band)?,
                max_band: crate::book::RANGE_BANDS as i32,
                control: Control::Local,
                guns: self.guns,
                shooter: Shooter { crew_quality, gunnery_modifier, splash, fc: 0, amc: false, ground },
                // A stand has no steering value that could be lost.
                target: Mark {
                    size: self.target.size,
                    splash: self.target.splash,
                    speed: self.target.speed,
                    sv: 1,
                    ground: self.target.land.into(),
                },
                intervening_bases: self.intervening_bases,
                radar: self.radar_bonus,
            },
            calibre_mm: self.calibre_mm,
            boats: Boats { vessels: self.target.vessels, save_modifier: self.target.save_modifier },
        };
        shoot.check()?;
        Ok(shoot)
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct BoatResult {
    range_band: i32,
    base: i32,
    modifier: i32,
    needed: i32,
    hit: bool,
    rerolled: bool,
    save_modifier: i32,
    saved: bool,
    vessels: i32,
    splash: i32,
}

fn check_boats(book: &Book, input: &BoatInput) -> Result<(), Refusal> {
    input.read(book).map(|_| ())
}

fn run_boats(book: &Book, input: &BoatInput, ask: &mut impl Ask) -> Result<BoatResult, Halt> {
    let case = input.read(book)?;
    let aim = case.aim(book);
    let shot = aim.shoot(ask)?;
    let saves = case.saves();
    let (band, save_modifier) = (case.shoot.band, saves.modifiers.total());
    let (base, modifier, needed) = (aim.base, aim.modifiers.total(), aim.needed());
    // One hit needs one saving throw: a volley of one die that has already hit.
    let after = Salvo { book, dice: 1, aim, saves: Some(saves) };
    let mut fallen = Fallen { rolled: 1, hits: i32::from(shot.hit), ..Fallen::default() };
    while after.step(&mut fallen, ask)? == flagplot_kernel::Flow::Continue {}
    Ok(BoatResult {
        range_band: band,
        base,
        modifier,
        needed,
        hit: shot.hit,
        rerolled: shot.rerolled,
        save_modifier,
        saved: shot.hit && fallen.failed == 0,
        vessels: case.boats.vessels - fallen.failed,
        splash: input.target.splash + i32::from(shot.hit),
    })
}

procedure!(TypeXGunnery: BoatInput => BoatResult, About {
    name: "type-x-gunnery",
    help: "Guns of 99 to 155 mm at a stand of small craft.",
    dice: "d20, a d20 for a miss that is rolled again, a d10 saving throw for a hit",
    input: {
        let mut fields = vec![req("calibre_mm", int(1, 600), "the calibre")];
        fields.extend(range_fields());
        fields.extend([
            req("guns", int(1, 99), "guns that shoot"),
            req("shooter", record(vec![quality(), or("gunnery_modifier", int(-20, 9), 0, "gunnery modifier"), splash("splash markers on the shooter"), flag("shore_battery", "the guns stand on land")]), "who shoots"),
            req("target", record(vec![
                req("vessels", int(1, 12), "vessels left"),
                or("save_modifier", int(-2, 1), 0, "saving throw modifier"),
                size(-4),
                splash("splash markers on the stand"),
                speed(),
                land(),
            ]), "at what"),
            or("intervening_bases", int(0, 99), 0, "ships in the line between"),
            flag("radar_bonus", "gunnery radar adds 1"),
        ]);
        record(fields)
    },
    result: answers(&[
        ("range_band", number(), "the range band"),
        ("base", number(), "the number of the table"),
        ("modifier", number(), "all modifiers together"),
        ("needed", number(), "the lowest face that hits"),
        ("hit", bool(), "whether it hits"),
        ("rerolled", bool(), "whether it was rolled again"),
        ("save_modifier", number(), "what is added to the saving throw"),
        ("saved", bool(), "whether a hit was saved"),
        ("vessels", number(), "vessels left"),
        ("splash", number(), "splash markers on the stand afterwards"),
    ]),
    rules: &[rule::S9_6, rule::R_6],
}, check_boats, run_boats);
