//! Salvoes and hits, with the damage they do.

use super::gunnery::{ToHitInput, ToHitResult, to_hit_answers, to_hit_fields};
use super::ship::{ShipInput, damage_fields, ship_shape};
use super::*;
use crate::critical::Harm;
use crate::derive::{Gun, GunFacts};
use crate::gunnery::Shoot;
use crate::hit::{Hit, Striking, Weapon};
use crate::rule;
use crate::ship::{Condition, Ship};
use crate::throw::Mark;
use flagplot_kernel::Ask;
use flagplot_odds::{Enumerator, enumerate};
use flagplot_referee::About;
use serde::Deserialize;

pub(super) fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![Box::new(GunnerySalvo(Arc::clone(book))), Box::new(ResolveHit(Arc::clone(book)))]
}

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
        let facts = [
            ("gun_year", self.gun_year.is_some()),
            ("range_yd", self.range_yd.is_some()),
            ("heavy_shell", self.heavy_shell.is_some()),
        ];
        if let Some((field, _)) = facts.into_iter().find(|(_, given)| *given) {
            return Err(if rated.iter().any(|(_, given)| *given) {
                unwanted(path, field, "a gun with ratings has no facts")
            } else {
                missing(path, "calibre_mm")
            });
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
        let target = Mark {
            size: ship.sheet.size,
            splash: ship.now.splash,
            speed: self.aim.target.speed,
            sv: ship.now.sv,
            ground: self.aim.target.land.into(),
        };
        let shoot = self.aim.shoot(book, target, gun.max_band)?;
        let direction = if self.raking { Direction::Horizontal } else { Direction::Vertical };
        let weapon = Weapon {
            ip: gun.ip,
            cv: gun.cv,
            pen: gun.pen_at(shoot.band),
            multiple: book.band(self.aim.guns),
            direction,
            column: Column::Midships,
        };
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
    pub(super) fn new(book: &Book, ship: &Ship, now: Condition, criticals: i32, harm: Option<Harm>) -> Self {
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
enum Extent {
    /// To its end.
    Whole,
    /// Until the number of criticals is known.
    UpToCriticals,
}

fn strike(
    book: &Book,
    ship: &Ship,
    weapon: Weapon,
    now: Condition,
    depth: Extent,
    ask: &mut impl Ask,
) -> Result<HitResult, Halt> {
    let hit = Hit { book, sheet: &ship.sheet, weapon };
    let striking = match depth {
        Extent::Whole => hit.resolve(now, ask)?,
        Extent::UpToCriticals => {
            let mut striking = hit.begin(now);
            hit.strike(&mut striking, ask)?;
            striking
        }
    };
    Ok(hit_result(book, ship, &striking, depth))
}

fn hit_result(book: &Book, ship: &Ship, striking: &Striking, depth: Extent) -> HitResult {
    let harm = (depth == Extent::Whole).then_some(striking.harm);
    HitResult {
        damage_result: DamageResult::new(book, ship, striking.ship, striking.criticals, harm),
        damage: striking.damage,
        penetrates: striking.penetrates,
    }
}

fn salvo(book: &Book, input: &SalvoInput, depth: Extent, ask: &mut impl Ask) -> Result<SalvoResult, Halt> {
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
    salvo(book, input, Extent::Whole, ask)
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
    walk(|ask| salvo(book, input, Extent::UpToCriticals, ask), wanted, budget)
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
        Ok((
            Weapon {
                ip,
                cv,
                pen,
                multiple,
                direction: self.direction,
                column: self.column.unwrap_or(Column::Midships),
            },
            ship,
        ))
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
    strike(book, &ship, weapon, ship.now, Extent::Whole, ask)
}

fn odds_hit(book: &Book, input: &HitInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
    let (weapon, ship) = input.read(book)?;
    walk(|ask| strike(book, &ship, weapon, ship.now, Extent::UpToCriticals, ask), wanted, budget)
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
