//! Guns, torpedoes and light guns.

use super::ship::{ShipInput, damage_fields, ship_shape};
use super::*;
use crate::critical::Harm;
use crate::derive::{Gun, GunFacts};
use crate::gunnery::{BoatShoot, Boats, Shoot, Shooter};
use crate::hit::{Hit, Striking, Weapon};
use crate::light_guns::LightFire;
use crate::rule;
use crate::ship::Ship;
use crate::throw::{Aim, Fallen, Ground, Mark, Salvo, Shot};
use crate::torpedo::{self, Spread};
use flagplot_kernel::Ask;
use flagplot_odds::{Enumerator, enumerate};
use flagplot_referee::About;
use serde::Deserialize;

pub(super) fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![
        Box::new(GunneryToHit(Arc::clone(book))),
        Box::new(GunnerySalvo(Arc::clone(book))),
        Box::new(ResolveHit(Arc::clone(book))),
        Box::new(TorpedoAttack(Arc::clone(book))),
        Box::new(UnderwaterLocation(Arc::clone(book))),
        Box::new(CrfMrfFire(Arc::clone(book))),
        Box::new(TypeXGunnery(Arc::clone(book))),
    ]
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
struct MarkInput {
    #[serde(default)]
    size: i32,
    #[serde(default)]
    splash: i32,
    speed: i32,
    #[serde(default)]
    sv: i32,
    land: bool,
}

impl MarkInput {
    fn read(&self) -> Mark {
        Mark { size: self.size, splash: self.splash, speed: self.speed, sv: self.sv, ground: self.land.into() }
    }
}

#[derive(Deserialize)]
struct ToHitInput {
    range_mm: Option<i32>,
    range_band: Option<i32>,
    max_band: Option<i32>,
    control: Control,
    guns: i32,
    shooter: ShooterInput,
    target: MarkInput,
    intervening_bases: i32,
    radar_bonus: bool,
}

impl ToHitInput {
    fn shoot(&self, book: &Book, target: Mark, max_band: i32) -> Result<Shoot, Refusal> {
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
struct ToHitResult {
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
    fn new(shoot: &Shoot, aim: &Aim, shot: Shot) -> Self {
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

fn to_hit_fields(target: Vec<Field>) -> Vec<Field> {
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

fn to_hit_answers() -> Vec<Field> {
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

// ---- gunnery-salvo and resolve-hit ----------------------------------------------------------------------------------

#[derive(Deserialize)]
struct GunInput {
    calibre_mm: Option<i32>,
    gun_year: Option<i32>,
    range_yd: Option<i32>,
    heavy_shell: Option<bool>,
    ip: Option<i32>,
    cv: Option<i32>,
    pen: Option<[i32; 5]>,
}

impl GunInput {
    /// From facts or from ratings, not from a mixture.
    fn read(&self) -> Result<Gun, Refusal> {
        let path = "input.gun";
        let rated = [("ip", self.ip.is_some()), ("cv", self.cv.is_some()), ("pen", self.pen.is_some())];
        if let Some(calibre_mm) = self.calibre_mm {
            if let Some((field, _)) = rated.into_iter().find(|(_, given)| *given) {
                return Err(unwanted(path, field, "a gun is given by its calibre or by its ratings, not by both"));
            }
            let facts = GunFacts {
                calibre_mm,
                gun_year: self.gun_year.unwrap_or(1930),
                range_yd: self.range_yd.unwrap_or(30_000),
                heavy_shell: self.heavy_shell.unwrap_or(false),
            };
            return Ok(facts.derive());
        }
        let facts = [("gun_year", self.gun_year.is_some()), ("range_yd", self.range_yd.is_some()), ("heavy_shell", self.heavy_shell.is_some())];
        if let Some((field, _)) = facts.into_iter().find(|(_, given)| *given) {
            return Err(if rated.iter().any(|(_, given)| *given) { unwanted(path, field, "a gun with ratings has no facts") } else { missing(path, "calibre_mm") });
        }
        match (self.ip, self.cv, self.pen) {
            (Some(ip), Some(cv), Some(pen)) => Ok(Gun { ip, cv, max_band: 5, pen }),
            (None, None, None) => Err(missing(path, "calibre_mm")),
            (None, ..) => Err(missing(path, "ip")),
            (_, None, _) => Err(missing(path, "cv")),
            (_, _, None) => Err(missing(path, "pen")),
        }
    }
}

fn gun_shape() -> Shape {
    record(vec![
        opt("calibre_mm", int(1, 600), "the calibre: the ratings follow from it"),
        opt("gun_year", int(1800, 2000), "when the gun was designed; 1930"),
        opt("range_yd", int(0, 100_000), "how far it shoots; 30000"),
        opt("heavy_shell", bool(), "whether its shell is uncommonly heavy"),
        opt("ip", int(0, 60), "damage points, instead of a calibre"),
        opt("cv", int(0, 40), "critical value, instead of a calibre"),
        opt("pen", list(int(0, 99), 5, 5), "penetration in each band, instead of a calibre"),
    ])
}

#[derive(Deserialize)]
struct SalvoInput {
    #[serde(flatten)]
    aim: ToHitInput,
    gun: GunInput,
    raking: bool,
    ship: ShipInput,
}

struct SalvoCase {
    shoot: Shoot,
    weapon: Weapon,
    ship: Ship,
}

impl SalvoInput {
    fn read(&self, book: &Book) -> Result<SalvoCase, Refusal> {
        let gun = self.gun.read()?;
        let ship = self.ship.read(book, "input.ship")?;
        let target = Mark { size: ship.sheet.size, splash: ship.now.splash, speed: self.aim.target.speed, sv: ship.now.sv, ground: self.aim.target.land.into() };
        let shoot = self.aim.shoot(book, target, gun.max_band)?;
        let direction = if self.raking { Direction::Horizontal } else { Direction::Vertical };
        let weapon = Weapon { ip: gun.ip, cv: gun.cv, pen: gun.pen_at(shoot.band), multiple: book.band(self.aim.guns), direction, column: Column::Midships };
        Ok(SalvoCase { shoot, weapon, ship })
    }
}

/// What a hit did, as results say it. Odds stop before the criticals and leave their part out.
#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
pub(super) struct DamageResult {
    ship: Ship,
    criticals: i32,
    #[serde(flatten)]
    harm: Option<HarmResult>,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct HarmResult {
    stopped_by_armour: i32,
    helm: Sheer,
    officers_killed: i32,
    explosion_dice: i32,
    flashovers: i32,
}

impl DamageResult {
    pub(super) fn new(book: &Book, ship: &Ship, now: crate::ship::Condition, criticals: i32, harm: Option<Harm>) -> Self {
        let harm = harm.map(|harm| {
            let Harm { stopped_by_armour, helm, officers_killed, explosion_dice, flashovers } = harm;
            HarmResult { stopped_by_armour, helm, officers_killed, explosion_dice, flashovers }
        });
        Self { ship: Ship::new(book, &ship.sheet, now), criticals, harm }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct HitResult {
    #[serde(flatten)]
    damage_result: DamageResult,
    damage: i32,
    penetrates: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct SalvoResult {
    #[serde(flatten)]
    to_hit: ToHitResult,
    #[serde(flatten)]
    hit: HitResult,
}

/// How far a hit is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth_ {
    /// To its end.
    Whole,
    /// Until the number of criticals is known.
    UpToCriticals,
}

fn strike(book: &Book, ship: &Ship, weapon: Weapon, now: crate::ship::Condition, depth: Depth_, ask: &mut impl Ask) -> Result<HitResult, Halt> {
    let hit = Hit { book, sheet: &ship.sheet, weapon };
    let striking = match depth {
        Depth_::Whole => hit.resolve(now, ask)?,
        Depth_::UpToCriticals => {
            let mut striking = hit.begin(now);
            hit.strike(&mut striking, ask)?;
            striking
        }
    };
    Ok(hit_result(book, ship, &striking, depth))
}

fn hit_result(book: &Book, ship: &Ship, striking: &Striking, depth: Depth_) -> HitResult {
    let harm = (depth == Depth_::Whole).then_some(striking.harm);
    HitResult { damage_result: DamageResult::new(book, ship, striking.ship, striking.criticals, harm), damage: striking.damage, penetrates: striking.penetrates }
}

fn salvo(book: &Book, input: &SalvoInput, depth: Depth_, ask: &mut impl Ask) -> Result<SalvoResult, Halt> {
    let SalvoCase { shoot, weapon, ship } = input.read(book)?;
    let aim = shoot.aim(book);
    let shot = aim.shoot(ask)?;
    let mut now = ship.now;
    let hit = if shot.hit {
        now.splash += 1;
        strike(book, &ship, weapon, now, depth, ask)?
    } else {
        let missed = Hit { book, sheet: &ship.sheet, weapon }.begin(now);
        hit_result(book, &ship, &missed, depth)
    };
    Ok(SalvoResult { to_hit: ToHitResult::new(&shoot, &aim, shot), hit })
}

fn check_salvo(book: &Book, input: &SalvoInput) -> Result<(), Refusal> {
    input.read(book).map(|_| ())
}

fn run_salvo(book: &Book, input: &SalvoInput, ask: &mut impl Ask) -> Result<SalvoResult, Halt> {
    salvo(book, input, Depth_::Whole, ask)
}

/// All branches of a run, with a refusal passed on.
fn walk<O: Serialize + Eq + std::hash::Hash>(
    mut run: impl FnMut(&mut Enumerator<Exact>) -> Result<O, Halt>,
    wanted: Option<&str>,
    budget: Budget<'_>,
) -> Result<FieldOdds, Halt> {
    let mut refused = None;
    let dist = enumerate::<_, Exact>(budget, |ask| {
        run(ask).map_err(|halt| {
            refused = Some(halt);
            flagplot_kernel::Unanswered
        })
    });
    if let Some(halt @ Halt::Refused(_)) = refused {
        return Err(halt);
    }
    project(&dist?, |outcome| serde_json::to_value(outcome).unwrap_or_default(), wanted)
}

fn odds_salvo(book: &Book, input: &SalvoInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
    walk(|ask| salvo(book, input, Depth_::UpToCriticals, ask), wanted, budget)
}

fn hit_answers() -> Vec<Field> {
    let mut fields = damage_fields();
    fields.push(req("damage", number(), "damage points"));
    fields.push(req("penetrates", bool(), "whether the armour was penetrated"));
    fields
}

procedure!(GunnerySalvo: SalvoInput => SalvoResult, About {
    name: "gunnery-salvo",
    help: "One battery at one ship, with the damage and all criticals of a hit.",
    dice: "to hit as gunnery-to-hit; a Wreck Test if due; a Fire Test of a carrier arming aircraft; a d20 for each band of guns; then each critical in full",
    input: {
        let mut fields = to_hit_fields(vec![speed(), land()]);
        fields.extend([req("gun", gun_shape(), "the gun, by facts or by ratings"), flag("raking", "the shooter lies in the target's bow or stern arc"), req("ship", ship_shape(), "the target")]);
        record(fields)
    },
    result: {
        let mut fields = to_hit_answers();
        fields.extend(hit_answers());
        record(fields)
    },
    rules: &[rule::S9_5, rule::C_8, rule::R_27, rule::STRUCTURAL, rule::CARRIER],
}, check_salvo, run_salvo, odds_salvo);

#[derive(Deserialize)]
struct WeaponInput {
    ip: i32,
    cv: i32,
    pen: Option<i32>,
    multiple: i32,
}

#[derive(Deserialize)]
struct HitInput {
    weapon: WeaponInput,
    direction: Direction,
    column: Option<Column>,
    ship: ShipInput,
}

impl HitInput {
    fn read(&self, book: &Book) -> Result<(Weapon, Ship), Refusal> {
        let ship = self.ship.read(book, "input.ship")?;
        let under = self.direction == Direction::Underwater;
        if under && ship.sheet.is_air_base() {
            return Err(air_base_under_water());
        }
        if under && self.weapon.pen.is_some() {
            return Err(unwanted("input.weapon", "pen", "no armour counts under water").by(rule::R_26));
        }
        if !under && self.column.is_some() {
            return Err(unwanted("input", "column", "it is for hits under water"));
        }
        let pen = if under { 0 } else { self.weapon.pen.ok_or_else(|| missing("input.weapon", "pen"))? };
        let WeaponInput { ip, cv, multiple, .. } = self.weapon;
        Ok((Weapon { ip, cv, pen, multiple, direction: self.direction, column: self.column.unwrap_or(Column::Midships) }, ship))
    }
}

pub(super) fn air_base_under_water() -> Refusal {
    Refusal::new("wrong-table", "An air base has no hull under water.").by(rule::R_52)
}

fn check_hit(book: &Book, input: &HitInput) -> Result<(), Refusal> {
    input.read(book).map(|_| ())
}

fn run_hit(book: &Book, input: &HitInput, ask: &mut impl Ask) -> Result<HitResult, Halt> {
    let (weapon, ship) = input.read(book)?;
    strike(book, &ship, weapon, ship.now, Depth_::Whole, ask)
}

fn odds_hit(book: &Book, input: &HitInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
    let (weapon, ship) = input.read(book)?;
    walk(|ask| strike(book, &ship, weapon, ship.now, Depth_::UpToCriticals, ask), wanted, budget)
}

procedure!(ResolveHit: HitInput => HitResult, About {
    name: "resolve-hit",
    help: "What a shell, bomb, rocket, torpedo or mine that has hit does to a ship.",
    dice: "a Wreck Test if due; a Fire Test of a carrier arming aircraft; a d20 for each chance of a critical; then each critical in full",
    input: record(vec![
        req("weapon", record(vec![
            req("ip", int(0, 60), "damage points"),
            req("cv", int(0, 40), "critical value"),
            opt("pen", int(0, 99), "penetration; not under water"),
            or("multiple", int(1, 5), 1, "the band of guns; 1 for all else"),
        ]), "what strikes"),
        req("direction", words(Direction::WORDS), "how it strikes"),
        opt("column", words(Column::WORDS), "where it strikes, under water only; midships"),
        req("ship", ship_shape(), "the ship"),
    ]),
    result: record(hit_answers()),
    rules: &[rule::C_8, rule::S10_2, rule::S10_4, rule::R_27, rule::C_19],
}, check_hit, run_hit, odds_hit);

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
            target: Mark { size: target.size, splash: 0, speed: target.speed, sv: target.sv, ground: target.land.into() },
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
    let mut result =
        TorpedoResult { range_band: spread.band, base: 0, modifier: aim.modifiers.total(), needed: 0, dice: 0, out_of_range: spread.out_of_range(), hits: 0 };
    if spread.out_of_range() {
        ask.note(|| flagplot_kernel::Note::new("out-of-range", format!("RB {} is beyond RB {}: the torpedoes run out", spread.band, spread.max_band)).by(&[rule::C_9]));
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
            Some(Boats { vessels: self.vessels.ok_or_else(|| missing(path, "vessels"))?, save_modifier: self.save_modifier.unwrap_or(0) })
        } else {
            let given = [("vessels", self.vessels), ("save_modifier", self.save_modifier)].into_iter().find(|(_, value)| value.is_some());
            match given {
                Some((field, _)) => return Err(unwanted(path, field, "only a Type X stand has it")),
                None => None,
            }
        };
        let size = self.size.unwrap_or(if boats.is_some() { -4 } else { 0 });
        Ok((self.class, Mark { size, splash: self.splash, speed: self.speed, sv: self.sv, ground: self.land.into() }, boats))
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
    LightResult { attacks: salvo.dice, modifier: salvo.aim.modifiers.total(), needed: salvo.aim.needed(), peppered: Peppered::new(salvo, fallen, &input.target, boats) }
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
                target: Mark { size: self.target.size, splash: self.target.splash, speed: self.target.speed, sv: 1, ground: self.target.land.into() },
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
