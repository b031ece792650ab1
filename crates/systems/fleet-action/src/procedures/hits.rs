//! Salvoes and hits, with the damage they do.

use super::gunnery::ToHitResult;
use super::*;
use crate::critical::Harm;
use crate::derive::{Gun, GunFacts};
use crate::gunnery::{Firing, Shoot};
use crate::hit::{Hit, HitState, Weapon};
use crate::rules::RANGE_BANDS;
use crate::ship::{Condition, Ship, ShipObject, missing, unwanted};
use crate::volley::{Motion, Target};
use flagplot_referee::by_enumeration;

procedures![GunnerySalvo, ResolveHit];

/// A gun by its facts or by its ratings.
#[derive(Deserialize, Shaped)]
struct AnyGun {
    /// Calibre, from which the ratings follow.
    #[shape(1..=600, unit = "mm")]
    calibre_mm: Option<i32>,
    /// Year of the gun's design; 1930 if left out.
    #[shape(1800..=2000)]
    gun_year: Option<i32>,
    /// Range of the gun; 30000 if left out.
    #[shape(0..=100_000, unit = "yards")]
    range_yd: Option<i32>,
    /// The gun fires an unusually heavy shell.
    heavy_shell: Option<bool>,
    /// Damage points, instead of a calibre.
    #[shape(0..=60)]
    ip: Option<i32>,
    /// Critical value, instead of a calibre.
    #[shape(0..=40)]
    cv: Option<i32>,
    /// Penetration in each range band, instead of a calibre.
    #[shape(0..=99)]
    pen: Option<[i32; RANGE_BANDS]>,
}

impl AnyGun {
    /// The ratings, if the request does not mix them with facts.
    fn read(self) -> Result<Gun, Refusal> {
        let path = "input.gun";
        let Self { calibre_mm, gun_year, range_yd, heavy_shell, ip, cv, pen } = self;
        let given = |fields: &[(&'static str, bool)]| fields.iter().find(|(_, given)| *given).map(|(field, _)| *field);
        let rated = given(&[("ip", ip.is_some()), ("cv", cv.is_some()), ("pen", pen.is_some())]);
        let fact = given(&[
            ("gun_year", gun_year.is_some()),
            ("range_yd", range_yd.is_some()),
            ("heavy_shell", heavy_shell.is_some()),
        ]);
        match (calibre_mm, rated, fact) {
            (Some(_), Some(field), _) => {
                Err(unwanted(path, field, "give the calibre of a gun or its ratings, not both"))
            }
            (Some(calibre_mm), None, _) => Ok(GunFacts::new(calibre_mm, gun_year, range_yd, heavy_shell).derive()),
            (None, Some(_), Some(field)) => Err(unwanted(path, field, "a gun with ratings has no facts")),
            (None, None, _) => Err(missing(path, "calibre_mm")),
            (None, Some(_), None) => {
                let ip = ip.ok_or_else(|| missing(path, "ip"))?;
                let cv = cv.ok_or_else(|| missing(path, "cv"))?;
                let pen = pen.ok_or_else(|| missing(path, "pen"))?;
                Ok(Gun { ip, cv, max_band: RANGE_BANDS as i32, pen })
            }
        }
    }
}

#[derive(Deserialize, Shaped)]
struct SalvoInput {
    #[serde(flatten)]
    firing: Firing<Motion>,
    /// The gun, by facts or by ratings.
    gun: AnyGun,
    /// The shooter lies in the target's bow or stern arc.
    #[shape(or = false)]
    raking: bool,
    /// The ship under fire.
    ship: ShipObject,
}

struct SalvoFacts {
    shoot: Shoot,
    weapon: Weapon,
    ship: Ship,
}

/// What a hit did. Odds stop before the criticals and leave their part out.
#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub(super) struct DamageResult {
    /// The ship afterwards.
    ship: Ship,
    /// Criticals scored.
    criticals: i32,
    #[serde(flatten)]
    harm: Option<Harm>,
}

impl DamageResult {
    pub(super) fn new(rules: &Rules, ship: &Ship, now: Condition, criticals: i32, harm: Option<Harm>) -> Self {
        Self { ship: Ship::new(rules, &ship.sheet, now), criticals, harm }
    }
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct HitResult {
    #[serde(flatten)]
    damage_result: DamageResult,
    /// Damage points.
    damage: i32,
    /// The armour was penetrated.
    penetrates: bool,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct SalvoResult {
    #[serde(flatten)]
    to_hit: ToHitResult,
    #[serde(flatten)]
    hit: HitResult,
}

/// How far a hit is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    /// Until the number of criticals is known.
    UpToCriticals,
}

fn strike(hit: Hit<'_>, ship: &Ship, now: Condition, extent: Extent, ask: &mut impl Ask) -> Asked<HitResult> {
    let striking = match extent {
        Extent::Whole => hit.resolve(now, ask)?,
        Extent::UpToCriticals => {
            let mut striking = hit.begin(now);
            hit.strike(&mut striking, ask)?;
            striking
        }
    };
    Ok(hit_result(hit.rules, ship, &striking, extent))
}

fn hit_result(rules: &Rules, ship: &Ship, striking: &HitState, extent: Extent) -> HitResult {
    let harm = (extent == Extent::Whole).then_some(striking.harm);
    HitResult {
        damage_result: DamageResult::new(rules, ship, striking.ship, striking.criticals, harm),
        damage: striking.damage,
        penetrates: striking.penetrates,
    }
}

impl GunnerySalvo {
    fn salvo(&self, facts: &SalvoFacts, extent: Extent, ask: &mut impl Ask) -> Asked<SalvoResult> {
        let SalvoFacts { shoot, weapon, ship } = facts;
        let rules = &*self.0;
        let aim = shoot.aim(rules);
        let shot = aim.shoot(ask)?;
        let hit = Hit { rules, sheet: &ship.sheet, weapon: *weapon };
        let mut now = ship.now;
        let hit = if shot.hit {
            now.splash += 1;
            strike(hit, ship, now, extent, ask)?
        } else {
            hit_result(rules, ship, &hit.begin(now), extent)
        };
        Ok(SalvoResult { to_hit: ToHitResult::new(shoot, &aim, shot), hit })
    }
}

impl Procedure for GunnerySalvo {
    const NAME: &'static str = "gunnery-salvo";
    const HELP: &'static str = "One battery at one ship, with the damage and all criticals of a hit.";
    const DICE: &'static str = "to hit as gunnery-to-hit; a Wreck Test if due; a Fire Test of a carrier arming \
        aircraft; a d20 for each band of guns; then each critical in full";
    const RULES: &'static [Rule] = &[rule::S9_5, rule::C_8, rule::R_27, rule::STRUCTURAL, rule::CARRIER];
    type Input = SalvoInput;
    type Facts = SalvoFacts;
    type Output = SalvoResult;

    fn read(&self, input: SalvoInput) -> Result<SalvoFacts, Refusal> {
        let SalvoInput { firing, gun, raking, ship } = input;
        let gun = gun.read()?;
        let ship = ship.read(&self.0, "input.ship")?;
        let Condition { splash, sv, .. } = ship.now;
        let target = Target { size: ship.sheet.size, splash, motion: firing.target, sv };
        let shoot = firing.shoot(&self.0, target, gun.max_band)?;
        let weapon = Weapon {
            ip: gun.ip,
            cv: gun.cv,
            pen: gun.pen_at(shoot.band),
            multiple: self.0.band(firing.guns),
            direction: if raking { Direction::Horizontal } else { Direction::Vertical },
            column: Column::Midships,
        };
        Ok(SalvoFacts { shoot, weapon, ship })
    }

    fn run(&self, facts: &SalvoFacts, ask: &mut impl Ask) -> Asked<SalvoResult> {
        self.salvo(facts, Extent::Whole, ask)
    }

    fn odds(&self, facts: &SalvoFacts, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        by_enumeration(|ask| self.salvo(facts, Extent::UpToCriticals, ask), wanted, budget)
    }
}

#[derive(Deserialize, Shaped)]
struct WeaponInput {
    /// Damage points.
    #[shape(0..=60)]
    ip: i32,
    /// Critical value.
    #[shape(0..=40)]
    cv: i32,
    /// Penetration; not under water.
    #[shape(0..=99)]
    pen: Option<i32>,
    /// Band of guns; 1 for every other weapon.
    #[shape(1..=5, or = 1)]
    multiple: i32,
}

#[derive(Deserialize, Shaped)]
struct HitInput {
    /// The weapon that hits.
    weapon: WeaponInput,
    /// Direction of the hit.
    direction: Direction,
    /// Where it strikes under water; midships if left out.
    column: Option<Column>,
    /// The ship that is hit.
    ship: ShipObject,
}

pub(super) fn air_base_under_water() -> Refusal {
    Refusal::new("wrong-table", "An air base has no hull under water.").by(rule::R_52)
}

impl Procedure for ResolveHit {
    const NAME: &'static str = "resolve-hit";
    const HELP: &'static str = "What a shell, bomb, rocket, torpedo or mine that has hit does to a ship.";
    const DICE: &'static str = "a Wreck Test if due; a Fire Test of a carrier arming aircraft; a d20 for each chance \
        of a critical; then each critical in full";
    const RULES: &'static [Rule] = &[rule::C_8, rule::S10_2, rule::S10_4, rule::R_27, rule::C_19];
    type Input = HitInput;
    type Facts = (Weapon, Ship);
    type Output = HitResult;

    fn read(&self, input: HitInput) -> Result<(Weapon, Ship), Refusal> {
        let HitInput { weapon: WeaponInput { ip, cv, pen, multiple }, direction, column, ship } = input;
        let ship = ship.read(&self.0, "input.ship")?;
        let under = direction == Direction::Underwater;
        if under && ship.sheet.is_air_base() {
            return Err(air_base_under_water());
        }
        if under && pen.is_some() {
            return Err(unwanted("input.weapon", "pen", "no armour counts under water").by(rule::R_26));
        }
        if !under && column.is_some() {
            return Err(unwanted("input", "column", "it is for hits under water"));
        }
        let pen = if under { 0 } else { pen.ok_or_else(|| missing("input.weapon", "pen"))? };
        let column = column.unwrap_or(Column::Midships);
        Ok((Weapon { ip, cv, pen, multiple, direction, column }, ship))
    }

    fn run(&self, (weapon, ship): &(Weapon, Ship), ask: &mut impl Ask) -> Asked<HitResult> {
        strike(Hit { rules: &self.0, sheet: &ship.sheet, weapon: *weapon }, ship, ship.now, Extent::Whole, ask)
    }

    fn odds(&self, facts: &(Weapon, Ship), wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let (weapon, ship) = facts;
        let hit = Hit { rules: &self.0, sheet: &ship.sheet, weapon: *weapon };
        by_enumeration(|ask| strike(hit, ship, ship.now, Extent::UpToCriticals, ask), wanted, budget)
    }
}
