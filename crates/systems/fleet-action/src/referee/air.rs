//! Anti-aircraft fire, air attacks and air combat.

use super::light::{Peppered, SmallTarget, peppered_answers, small_target_shape};
use super::*;
use crate::air_attack::{AirAttack, GunAttack};
use crate::air_combat::{AirCombat, Burst, Fighters};
use crate::anti_air::{FlakVolley, Stand};
use crate::gunnery::Boats;
use crate::rule;
use crate::throw::{Fallen, Mark, Salvo};
use flagplot_kernel::Ask;
use flagplot_referee::About;
use serde::Deserialize;

pub(super) fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![
        Box::new(AaFire(Arc::clone(book))),
        Box::new(AirAttackOnShip(Arc::clone(book))),
        Box::new(AirGunAttack(Arc::clone(book))),
        Box::new(AirCombatProcedure(Arc::clone(book))),
    ]
}

// ---- aa-fire --------------------------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct StandInput {
    aircraft: i32,
    hit_points: i32,
    flak: i32,
}

#[derive(Deserialize)]
struct FlakInput {
    weapon: Flak,
    factors: i32,
    range_mm: i32,
    crew_quality: i32,
    dpaa_radar: bool,
    aa_plus: bool,
    splash: i32,
    shore: bool,
    target: StandInput,
}

impl FlakInput {
    fn read(&self, book: &Book) -> Result<FlakVolley, Refusal> {
        let FlakInput { weapon, factors, range_mm, crew_quality, dpaa_radar, aa_plus, splash, shore, .. } = *self;
        let StandInput { aircraft, hit_points, flak } = self.target;
        let target = Stand { aircraft, hit_points, flak };
        let volley = FlakVolley {
            weapon,
            factors,
            range_mm,
            crew_quality,
            dpaa_radar,
            aa_plus,
            splash,
            ground: shore.into(),
            target,
        };
        volley.check(book)?;
        Ok(volley)
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct FlakResult {
    dice: i32,
    modifier: i32,
    needed: i32,
    save_modifier: i32,
    hits: i32,
    aircraft_lost: i32,
    aircraft: i32,
    flak: i32,
}

fn flak_result(salvo: &Salvo<'_>, fallen: &Fallen, target: &Stand) -> FlakResult {
    FlakResult {
        dice: salvo.dice,
        modifier: salvo.aim.modifiers.total(),
        needed: salvo.aim.needed(),
        save_modifier: salvo.saves.as_ref().map_or(0, |saves| saves.modifiers.total()),
        hits: fallen.hits,
        aircraft_lost: fallen.failed,
        aircraft: target.aircraft - fallen.failed,
        flak: target.flak + i32::from(fallen.hits > 0),
    }
}

fn check_flak(book: &Book, input: &FlakInput) -> Result<(), Refusal> {
    input.read(book).map(|_| ())
}

fn run_flak(book: &Book, input: &FlakInput, ask: &mut impl Ask) -> Result<FlakResult, Halt> {
    let volley = input.read(book)?;
    let salvo = volley.salvo(book);
    let fallen = salvo.fire(ask)?;
    Ok(flak_result(&salvo, &fallen, &volley.target))
}

fn odds_flak(book: &Book, input: &FlakInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
    let volley = input.read(book)?;
    let salvo = volley.salvo(book);
    process_odds(&salvo, Fallen::default(), |fallen| flak_result(&salvo, fallen, &volley.target), wanted, budget)
}

procedure!(AaFire: FlakInput => FlakResult, About {
    name: "aa-fire",
    help: "One volley of anti-aircraft fire of one ship at one stand.",
    dice: "a d20 for each factor (a re-roll directly after its miss), then a d10 for each hit while aircraft are left",
    input: record(vec![
        req("weapon", words(Flak::WORDS), "which fire"),
        req("factors", int(1, 40), "factors used"),
        req("range_mm", range_mm(), "the distance"),
        quality(),
        flag("dpaa_radar", "dual-purpose gunnery radar sees the target"),
        flag("aa_plus", "the guns are marked AA+; LRF only"),
        splash("splash markers on the ship"),
        flag("shore", "the guns stand on land"),
        req("target", record(vec![aircraft(), req("hit_points", int(1, 99), "hit points of each"), flak()]), "the stand"),
    ]),
    result: answers(&[
        ("dice", number(), "dice rolled"),
        ("modifier", number(), "all modifiers together"),
        ("needed", number(), "the lowest face that hits"),
        ("save_modifier", number(), "what is added to each saving throw"),
        ("hits", number(), "hits"),
        ("aircraft_lost", number(), "aircraft shot down"),
        ("aircraft", number(), "aircraft left"),
        ("flak", number(), "flak markers afterwards"),
    ]),
    rules: &[rule::S9_9, rule::C_10, rule::C_11, rule::R_9, rule::R_30, rule::R_31],
}, check_flak, run_flak, odds_flak);

// ---- air-attack-on-ship ---------------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct ShipTarget {
    size: i32,
    speed: i32,
    splash: i32,
    sv: i32,
    land: bool,
}

#[derive(Deserialize)]
struct AttackInput {
    aircraft: i32,
    attack: AttackType,
    crew_quality: i32,
    flak: i32,
    torpedo_modifier: i32,
    target: ShipTarget,
}

impl AttackInput {
    fn read(&self) -> Result<AirAttack, Refusal> {
        let ShipTarget { size, speed, splash, sv, land } = self.target;
        let AttackInput { aircraft, attack, crew_quality, flak, torpedo_modifier, .. } = *self;
        let attack = AirAttack {
            aircraft,
            attack,
            crew_quality,
            flak,
            torpedo_modifier,
            target: Mark { size, splash, speed, sv, ground: land.into() },
        };
        attack.check()?;
        Ok(attack)
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct AttackResult {
    dice: i32,
    modifier: i32,
    needed: i32,
    reroll_misses: bool,
    hits: i32,
}

fn check_attack(_: &Book, input: &AttackInput) -> Result<(), Refusal> {
    input.read().map(|_| ())
}

fn run_attack(book: &Book, input: &AttackInput, ask: &mut impl Ask) -> Result<AttackResult, Halt> {
    let salvo = input.read()?.salvo(book);
    let fallen = salvo.fire(ask)?;
    Ok(AttackResult {
        dice: salvo.dice,
        modifier: salvo.aim.modifiers.total(),
        needed: salvo.aim.needed(),
        reroll_misses: salvo.aim.rerolls(),
        hits: fallen.hits,
    })
}

fn attack_answers() -> Vec<(&'static str, Shape, &'static str)> {
    vec![
        ("dice", number(), "dice rolled"),
        ("modifier", number(), "all modifiers together"),
        ("needed", number(), "the lowest face that hits"),
        ("reroll_misses", bool(), "whether misses are rolled again"),
    ]
}

procedure!(AirAttackOnShip: AttackInput => AttackResult, About {
    name: "air-attack-on-ship",
    help: "How many bombs, torpedoes or rockets of a stand hit a ship.",
    dice: "a d20 for each band of aircraft, a re-roll directly after its miss",
    input: record(vec![
        aircraft(),
        req("attack", words(AttackType::WORDS), "how they attack"),
        quality(),
        flak(),
        or("torpedo_modifier", int(-2, 2), 0, "what the torpedo adds; torpedo bombers only"),
        req("target", record(vec![size(0), speed(), splash("splash markers on the target"), sv(), land()]), "the ship"),
    ]),
    result: {
        let mut fields = attack_answers();
        fields.push(("hits", number(), "hits"));
        answers(&fields)
    },
    rules: &[rule::S9_11, rule::C_12, rule::R_10, rule::R_11],
}, check_attack, run_attack);

// ---- air-gun-attack -------------------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct GunsInput {
    guns: AirGuns,
    acf: i32,
    aircraft: i32,
    crew_quality: i32,
    flak: i32,
    target: SmallTarget,
}

impl GunsInput {
    fn read(&self) -> Result<GunAttack, Refusal> {
        let (class, target, boats) = self.target.read()?;
        let GunsInput { guns, acf, aircraft, crew_quality, flak, .. } = *self;
        let attack =
            AirAttack { aircraft, attack: AttackType::AircraftGuns, crew_quality, flak, torpedo_modifier: 0, target };
        let attack = GunAttack { guns, acf, attack, class, boats };
        attack.check()?;
        Ok(attack)
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct GunsResult {
    dice: i32,
    modifier: i32,
    needed: i32,
    reroll_misses: bool,
    #[serde(flatten)]
    peppered: Peppered,
}

fn guns_result(salvo: &Salvo<'_>, fallen: &Fallen, input: &GunsInput, boats: Option<Boats>) -> GunsResult {
    GunsResult {
        dice: salvo.dice,
        modifier: salvo.aim.modifiers.total(),
        needed: salvo.aim.needed(),
        reroll_misses: salvo.aim.rerolls(),
        peppered: Peppered::new(salvo, fallen, &input.target, boats),
    }
}

fn check_guns(_: &Book, input: &GunsInput) -> Result<(), Refusal> {
    input.read().map(|_| ())
}

fn run_guns(book: &Book, input: &GunsInput, ask: &mut impl Ask) -> Result<GunsResult, Halt> {
    let attack = input.read()?;
    let salvo = attack.salvo(book);
    let fallen = salvo.fire(ask)?;
    Ok(guns_result(&salvo, &fallen, input, attack.boats))
}

procedure!(AirGunAttack: GunsInput => GunsResult, About {
    name: "air-gun-attack",
    help: "Aircraft strafing, or attacking with anti-shipping guns.",
    dice: "a d20 for each band of aircraft (a re-roll directly after its miss), then a d10 for each hit",
    input: record(vec![
        req("guns", words(AirGuns::WORDS), "which guns"),
        req("acf", int(1, 60), "their factor"),
        aircraft(),
        quality(),
        flak(),
        req("target", small_target_shape(), "at what"),
    ]),
    result: {
        let mut fields = attack_answers();
        fields.extend(peppered_answers());
        answers(&fields)
    },
    rules: &[rule::S9_12, rule::R_12, rule::R_13, rule::R_30],
}, check_guns, run_guns);

// ---- air-combat -----------------------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct FightersInput {
    role: Role,
    aircraft: i32,
    hit_points: i32,
    crew_quality: i32,
    flak: i32,
    intercept: i32,
    dogfight_1: i32,
    dogfight_2: i32,
}

impl FightersInput {
    fn read(&self) -> Fighters {
        let FightersInput { role, aircraft, hit_points, crew_quality, flak, intercept, dogfight_1, dogfight_2 } = *self;
        Fighters { role, aircraft, hit_points, crew_quality, flak, intercept, dogfight_1, dogfight_2 }
    }
}

#[derive(Deserialize)]
struct CombatInput {
    mode: Encounter,
    return_fire: bool,
    attacker: FightersInput,
    defender: FightersInput,
}

impl CombatInput {
    fn read(&self) -> AirCombat {
        AirCombat {
            encounter: self.mode,
            return_fire: self.return_fire,
            attacker: self.attacker.read(),
            defender: self.defender.read(),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct BurstResult {
    dice: i32,
    modifier: i32,
    save_modifier_against: i32,
    hits: i32,
    kills: i32,
}

impl From<Burst> for BurstResult {
    fn from(burst: Burst) -> Self {
        let Burst { dice, modifier, save_modifier_against, hits, kills } = burst;
        Self { dice, modifier, save_modifier_against, hits, kills }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct CombatResult {
    attacker: BurstResult,
    defender: BurstResult,
    attacker_left: i32,
    defender_left: i32,
}

fn check_combat(_: &Book, input: &CombatInput) -> Result<(), Refusal> {
    input.read().check()
}

fn run_combat(book: &Book, input: &CombatInput, ask: &mut impl Ask) -> Result<CombatResult, Halt> {
    let combat = input.read();
    let (attacker, defender) = combat.fight(book, ask)?;
    Ok(CombatResult {
        attacker_left: combat.attacker.aircraft - defender.kills,
        defender_left: combat.defender.aircraft - attacker.kills,
        attacker: attacker.into(),
        defender: defender.into(),
    })
}

fn fighters_shape() -> Shape {
    let factor = |name, help| or(name, int(0, 60), 0, help);
    record(vec![
        req("role", words(Role::WORDS), "what the stand can do now"),
        aircraft(),
        req("hit_points", int(1, 99), "hit points of each"),
        quality(),
        flak(),
        factor("intercept", "factor when intercepting"),
        factor("dogfight_1", "factor of fighters in a dogfight"),
        factor("dogfight_2", "factor of everybody else in a dogfight"),
    ])
}

fn burst_shape() -> Shape {
    answers(&[
        ("dice", number(), "dice rolled"),
        ("modifier", number(), "all modifiers together"),
        ("save_modifier_against", number(), "what the other side adds to its saves"),
        ("hits", number(), "hits"),
        ("kills", number(), "aircraft shot down"),
    ])
}

procedure!(AirCombatProcedure: CombatInput => CombatResult, About {
    name: "air-combat",
    help: "One stand attacks another in the air, which may shoot back.",
    dice: "a d20 for each band of attackers, the same for the defenders if they shoot back, a d10 for each hit on the defenders, then on the attackers, while aircraft are left",
    input: record(vec![
        req("mode", words(Encounter::WORDS), "how it begins"),
        or("return_fire", bool(), true, "whether the defender shoots back"),
        req("attacker", fighters_shape(), "who attacks"),
        req("defender", fighters_shape(), "who is attacked"),
    ]),
    result: answers(&[
        ("attacker", burst_shape(), "what the attacker did"),
        ("defender", burst_shape(), "what the defender did"),
        ("attacker_left", number(), "aircraft left of the attacker"),
        ("defender_left", number(), "aircraft left of the defender"),
    ]),
    rules: &[rule::S9_15, rule::C_13, rule::R_44, rule::R_45],
}, check_combat, run_combat);
