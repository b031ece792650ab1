//! Range, fire, damage, criticals, smoke and fire, victory.

use super::{SKILL, boxes, boxes_shape, count, flag, parsed, position, procedure, skill};
use crate::critical::{self, Harm};
use crate::damage::{self, Boxes, Wear};
use crate::fire::{self, Burst, Gun, RangeReason};
use crate::position::Position;
use crate::rule;
use crate::tables::Critical;
use crate::victory::{self, DrawGoesTo, Grade, Score, Tallied, Winner};
use crate::words::{Alliance, Pip, Status, words};
use flagplot_kernel::{Ask, Refusal};
use flagplot_referee::{About, Field, Halt, Shape, bool, int, list, nullable, or, record, req, word};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
pub(super) struct RangeInput {
    firer: Position,
    target: Position,
}

procedure! {
    /// Range.
    FireRange(RangeInput) -> fire::FireRange {
        about: About {
            name: "fire-range",
            help: "The range between two aircraft, and whether one can fire at the other.",
            dice: "none",
            input: record(vec![req("firer", position(), "who fires"), req("target", position(), "at whom")]),
            result: record(vec![
                req("horizontal", nullable(int(0, 2)), "half hexes across; null if that is out of reach"),
                req("vertical", nullable(int(0, 2)), "half hexes for the levels; null if that is out of reach"),
                req("half_hexes", nullable(int(0, 4)), "both together, more than 2 being out of range; null if either is"),
                req("modifier", nullable(int(-10, 0)), "what that does to the gun roll; null if there is no fire"),
                req("can_fire", bool(), "whether there is fire"),
                req("reason", word(RangeReason::WORDS), "why, or why not"),
            ]),
            rules: &[rule::RANGE, rule::R_43, rule::R_44, rule::R_45],
        },
        check(_rules, _input) { Ok(()) }
        run(rules, input, ask) {
            let range = fire::range(&rules.tables, &input.firer, &input.target);
            fire::note_range(&range, ask);
            Ok(range)
        }
    }
}

words! {
    /// What is done about pips.
    PipChoice {
        /// The best there is.
        Auto = "auto",
        /// Nothing.
        None = "none",
        /// One off the higher die.
        Subtract = "subtract",
        /// One onto the lower die.
        Add = "add",
    }
}

#[derive(Deserialize)]
pub(super) struct FireInput {
    edge: i32,
    firing_rating: i32,
    shooting_skill: i32,
    half_hexes: i32,
    pip: PipChoice,
}

/// Far beyond the range, or without an edge: the rule says so, not the form.
const ANYTHING: i64 = 1_000_000_000;

fn gun_fields(pips: &[&'static str]) -> Vec<Field> {
    vec![
        req("edge", int(-ANYTHING, 10), "the firer's edge"),
        skill("firing_rating", "the aircraft's rating"),
        skill("shooting_skill", "effective shooting skill"),
        or("half_hexes", int(0, ANYTHING), 0, "range in half hexes"),
        or("pip", word(pips), "auto", "which pip is moved"),
    ]
}

fn check_gun(edge: i32, half_hexes: i32) -> Result<(), Refusal> {
    if edge < 1 {
        return Err(no_edge());
    }
    if half_hexes > 2 {
        return Err(Refusal::new(
            "out-of-gun-range",
            format!("{half_hexes} half hexes are out of range; 2 is the most."),
        )
        .by(rule::RANGE));
    }
    Ok(())
}

/// The refusal of fire without an edge.
pub(crate) fn no_edge() -> Refusal {
    Refusal::new("no-edge", "Fire needs an edge of at least 1.").by(rule::FIRE)
}

fn burst_shape() -> Shape {
    record(vec![
        req("modifier", int(-999, 999), "everything but the dice"),
        req("roll", int(2, 12), "the dice"),
        req("pip", word(Pip::WORDS), "the pip that was moved"),
        req("doubles", bool(), "whether they are doubles, after that"),
        req("total", int(2, 12), "their total, after that"),
        req("hits", int(0, 999), "hits"),
        req("hits_per_critical", int(2, 999), "so many hits make a critical"),
        req("criticals", int(0, 999), "criticals"),
    ])
}

/// One gun.
fn burst(rules: &crate::Rules, gun: &Gun, choice: PipChoice, ask: &mut impl Ask) -> Result<Burst, Halt> {
    let dice = fire::gun_dice("the aircraft", ask)?;
    let pip = match choice {
        PipChoice::Auto => gun.best_pip(&rules.tables, dice),
        PipChoice::None => Pip::None,
        PipChoice::Subtract => Pip::Subtract,
        PipChoice::Add => Pip::Add,
    };
    if !gun.pips(dice).contains(&pip) {
        return Err(fire::no_pip(pip).into());
    }
    let burst = gun.score(&rules.tables, dice, pip);
    fire::note_burst(gun, &burst, dice, "the aircraft", &rules.tables, ask);
    Ok(burst)
}

procedure! {
    /// One gun.
    Fire(FireInput) -> Burst {
        about: About {
            name: "fire",
            help: "The roll of one gun.",
            dice: "2d6",
            input: record(gun_fields(PipChoice::WORDS)),
            result: burst_shape(),
            rules: &[rule::FIRE, rule::CRITICALS, rule::R_46, rule::R_47, rule::R_48],
        },
        check(_rules, input) {
            check_gun(input.edge, input.half_hexes)?;
            match input.pip {
                PipChoice::Subtract if input.shooting_skill < 1 => Err(fire::no_pip(Pip::Subtract)),
                PipChoice::Add if input.shooting_skill < 2 => Err(fire::no_pip(Pip::Add)),
                _ => Ok(()),
            }
        }
        run(rules, input, ask) {
            let gun = Gun { edge: input.edge, firing_rating: input.firing_rating, shooting: input.shooting_skill, half_hexes: input.half_hexes };
            burst(rules, &gun, input.pip, ask)
        }
    }
}

#[derive(Deserialize)]
pub(super) struct AttackInput {
    edge: i32,
    firing_rating: i32,
    shooting_skill: i32,
    half_hexes: i32,
    pip: PipChoice,
    guns: u8,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct AttackOutput {
    modifier: i32,
    hits_per_critical: i32,
    guns: Vec<Burst>,
    hits: i32,
    criticals: i32,
}

procedure! {
    /// All guns.
    Attack(AttackInput) -> AttackOutput {
        about: About {
            name: "attack",
            help: "The rolls of all guns of an aircraft.",
            dice: "2d6 for each gun",
            input: record(gun_fields(&PipChoice::WORDS[..2]).into_iter().chain([req("guns", int(1, 2), "how many guns")]).collect()),
            result: record(vec![
                req("modifier", int(-999, 999), "everything but the dice"),
                req("hits_per_critical", int(2, 999), "so many hits make a critical"),
                req("guns", list(burst_shape(), 1, 2), "each gun"),
                req("hits", int(0, 999), "hits of all"),
                req("criticals", int(0, 999), "criticals of all"),
            ]),
            rules: &[rule::FIRE, rule::CRITICALS, rule::R_46, rule::R_47, rule::R_48],
        },
        check(_rules, input) { check_gun(input.edge, input.half_hexes) }
        run(rules, input, ask) {
            let gun = Gun { edge: input.edge, firing_rating: input.firing_rating, shooting: input.shooting_skill, half_hexes: input.half_hexes };
            let guns = (0..input.guns).map(|_| burst(rules, &gun, input.pip, ask)).collect::<Result<Vec<_>, _>>()?;
            Ok(AttackOutput {
                modifier: gun.modifier(&rules.tables),
                hits_per_critical: gun.hits_per_critical(),
                hits: guns.iter().map(|burst| burst.hits).sum(),
                criticals: guns.iter().map(|burst| burst.criticals).sum(),
                guns,
            })
        }
    }
}

#[derive(Deserialize)]
pub(super) struct DamageInput {
    boxes: Vec<String>,
    hits: i32,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct DamageOutput {
    boxes: Boxes,
    #[serde(flatten)]
    wear: Wear,
    hits_without_box: i32,
    destroyed: bool,
}

fn wear_fields() -> Vec<Field> {
    vec![
        req("boxes", boxes_shape(), "the boxes after it"),
        req("single_filled", int(0, 8), "sets filled once"),
        req("double_filled", int(0, 8), "sets filled twice"),
        req("stress_modifier", int(-16, 0), "what that takes off stress tests"),
        req("max_dive_reduction", int(0, 8), "what that takes off the maximum dive speed"),
        req("stress_bet_level", int(-1, 3), "the level from which on a bet calls for a stress test"),
        req("destroyed", bool(), "whether the aircraft is lost"),
    ]
}

procedure! {
    /// Hits.
    Damage(DamageInput) -> DamageOutput {
        about: About {
            name: "damage",
            help: "Marks hits and says what the damage does.",
            dice: "none",
            input: record(vec![boxes(), req("hits", int(0, 9999), "how many hits")]),
            result: record(wear_fields().into_iter().chain([req("hits_without_box", int(0, 9999), "hits that found no box")]).collect()),
            rules: &[rule::DAMAGE, rule::C_6, rule::C_11],
        },
        check(_rules, input) { parsed(&input.boxes).map(|_| ()) }
        run(_rules, input, ask) {
            let mut boxes = parsed(&input.boxes)?;
            let hits_without_box = damage::hits(&mut boxes, input.hits, "the aircraft", ask);
            Ok(DamageOutput { boxes, wear: boxes.wear(), hits_without_box, destroyed: boxes.used_up() || hits_without_box > 0 })
        }
    }
}

#[derive(Deserialize)]
pub(super) struct CriticalInput {
    boxes: Vec<String>,
    smoking: bool,
    burning: bool,
    engine_destroyed: bool,
    power_penalty: i32,
    control_penalty: i32,
    wounds: i32,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct CriticalOutput {
    roll: i32,
    effect: Critical,
    engine_roll: Option<u8>,
    smoke_roll: Option<u8>,
    boxes: Boxes,
    smoking: bool,
    burning: bool,
    engine_destroyed: bool,
    power_penalty: i32,
    control_penalty: i32,
    wounds: i32,
    skill_penalty: i32,
    pilot_killed: bool,
    destroyed: bool,
}

procedure! {
    /// A critical hit.
    CriticalHit(CriticalInput) -> CriticalOutput {
        about: About {
            name: "critical-hit",
            help: "One critical hit, with smoke and fire if it comes to that.",
            dice: "2d6; for engine results of an aircraft that does not burn d6, and on 1 to 3 another d6",
            input: record(vec![
                boxes(),
                flag("smoking", "whether it smokes"),
                flag("burning", "whether it burns"),
                flag("engine_destroyed", "whether the engine has gone"),
                count("power_penalty", "damage to the engine"),
                count("control_penalty", "damage to the controls"),
                count("wounds", "wounds of the pilot"),
            ]),
            result: record(vec![
                req("roll", int(2, 12), "the dice"),
                req("effect", word(Critical::WORDS), "what it does"),
                req("engine_roll", nullable(int(1, 6)), "the engine roll"),
                req("smoke_roll", nullable(int(1, 6)), "the roll for fire"),
                req("boxes", boxes_shape(), "the boxes after it"),
                req("smoking", bool(), "whether it smokes now"),
                req("burning", bool(), "whether it burns now"),
                req("engine_destroyed", bool(), "whether the engine has gone now"),
                req("power_penalty", int(0, 999), "damage to the engine"),
                req("control_penalty", int(0, 999), "damage to the controls"),
                req("wounds", int(0, 999), "wounds of the pilot"),
                req("skill_penalty", int(0, SKILL.1 * 2), "what wounds, smoke and fire take off every skill"),
                req("pilot_killed", bool(), "whether the pilot is dead"),
                req("destroyed", bool(), "whether the aircraft is lost"),
            ]),
            rules: &[rule::CRITICAL_TABLE, rule::SMOKE_FIRE, rule::R_49, rule::R_50],
        },
        check(_rules, input) { parsed(&input.boxes).map(|_| ()) }
        run(rules, input, ask) {
            let mut harm = Harm {
                boxes: parsed(&input.boxes)?,
                smoking: input.smoking || input.burning,
                burning: input.burning,
                engine_destroyed: input.engine_destroyed,
                power_penalty: input.power_penalty,
                control_penalty: input.control_penalty,
                wounds: input.wounds,
            };
            let struck = critical::strike(&rules.tables, &mut harm, "the aircraft", ask)?;
            Ok(CriticalOutput {
                roll: struck.roll,
                effect: struck.effect,
                engine_roll: struck.engine_roll,
                smoke_roll: struck.smoke_roll,
                skill_penalty: harm.skill_penalty(),
                boxes: harm.boxes,
                smoking: harm.smoking,
                burning: harm.burning,
                engine_destroyed: harm.engine_destroyed,
                power_penalty: harm.power_penalty,
                control_penalty: harm.control_penalty,
                wounds: harm.wounds,
                pilot_killed: struck.pilot_killed,
                destroyed: struck.destroyed,
            })
        }
    }
}

#[derive(Deserialize)]
pub(super) struct SmokeInput {
    smoking: bool,
    burning: bool,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct SmokeOutput {
    die: u8,
    burning: bool,
    fire_and_smoke_penalty: i32,
}

procedure! {
    /// Smoke at the start of a turn.
    EngineSmoke(SmokeInput) -> SmokeOutput {
        about: About {
            name: "engine-smoke",
            help: "Whether a smoking aircraft catches fire.",
            dice: "d6",
            input: record(vec![req("smoking", bool(), "whether it smokes"), flag("burning", "whether it burns already")]),
            result: record(vec![
                req("die", int(1, 6), "the die"),
                req("burning", bool(), "whether it burns now"),
                req("fire_and_smoke_penalty", int(0, 3), "what that takes off every skill"),
            ]),
            rules: &[rule::SMOKE_FIRE, rule::R_50],
        },
        check(_rules, input) {
            match (input.burning, input.smoking) {
                (true, _) => Err(Refusal::new("already-burning", "It burns already.").by(rule::SMOKE_FIRE)),
                (false, false) => Err(Refusal::new("not-smoking", "It does not smoke.").by(rule::SMOKE_FIRE)),
                (false, true) => Ok(()),
            }
        }
        run(rules, input, ask) {
            let mut harm = Harm { smoking: input.smoking, burning: input.burning, ..Harm::none(Boxes::clean(4, 6)) };
            let die = critical::smoke(&rules.tables, &mut harm, "the aircraft", ask)?;
            Ok(SmokeOutput { die, burning: harm.burning, fire_and_smoke_penalty: harm.fire_and_smoke_penalty() })
        }
    }
}

#[derive(Deserialize)]
pub(super) struct BurnInput {
    boxes: Vec<String>,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct BurnOutput {
    die: u8,
    burnt: i32,
    boxes: Boxes,
    #[serde(flatten)]
    wear: Wear,
    destroyed: bool,
}

procedure! {
    /// Fire at the start of a turn.
    FireDamage(BurnInput) -> BurnOutput {
        about: About {
            name: "fire-damage",
            help: "What a fire burns at the start of a turn.",
            dice: "d6",
            input: record(vec![boxes()]),
            result: record([req("die", int(1, 6), "the die"), req("burnt", int(0, 6), "boxes burnt")].into_iter().chain(wear_fields()).collect()),
            rules: &[rule::SMOKE_FIRE, rule::R_51, rule::C_6],
        },
        check(_rules, input) { parsed(&input.boxes).map(|_| ()) }
        run(_rules, input, ask) {
            let mut boxes = parsed(&input.boxes)?;
            let (die, burnt) = damage::fire_damage(&mut boxes, "the aircraft", ask)?;
            Ok(BurnOutput { die, burnt, boxes, wear: boxes.wear(), destroyed: boxes.used_up() })
        }
    }
}

#[derive(Deserialize)]
struct Counted {
    side: Alliance,
    grade: Grade,
    status: Status,
    boxes: Vec<String>,
    engine_destroyed: bool,
    wounds: i32,
}

#[derive(Deserialize)]
struct SpecialPoints {
    side: Alliance,
    points: i64,
}

#[derive(Deserialize)]
pub(super) struct VictoryInput {
    aircraft: Vec<Counted>,
    special: Vec<SpecialPoints>,
    draw_goes_to: DrawGoesTo,
}

procedure! {
    /// The end of the game.
    VictoryPoints(VictoryInput) -> Score {
        about: About {
            name: "victory-points",
            help: "The points of both sides, and who has won.",
            dice: "none",
            input: record(vec![
                req(
                    "aircraft",
                    list(
                        record(vec![
                            super::side("side"),
                            req("grade", word(Grade::WORDS), "its pilot"),
                            req("status", word(Status::WORDS), "where it is"),
                            boxes(),
                            flag("engine_destroyed", "whether the engine has gone"),
                            count("wounds", "wounds of the pilot"),
                        ]),
                        0,
                        64,
                    ),
                    "all aircraft",
                ),
                or("special", list(record(vec![super::side("side"), req("points", int(-9999, 9999), "how many")]), 0, 64), serde_json::json!([]), "points of the scenario"),
                or("draw_goes_to", word(DrawGoesTo::WORDS), "nobody", "who wins a draw"),
            ]),
            result: record(vec![
                req("allied", int(-99_999, 99_999), "points of the Allies"),
                req("central", int(-99_999, 99_999), "points of the Central Powers"),
                req("winner", word(Winner::WORDS), "who has won"),
            ]),
            rules: &[rule::VICTORY, rule::C_10],
        },
        check(_rules, input) { input.aircraft.iter().try_for_each(|craft| parsed(&craft.boxes).map(|_| ())) }
        run(rules, input, ask) {
            let mut tallied = Vec::new();
            for craft in &input.aircraft {
                let harm = Harm { engine_destroyed: craft.engine_destroyed, wounds: craft.wounds, ..Harm::none(parsed(&craft.boxes)?) };
                tallied.push(Tallied { side: craft.side, grade: craft.grade, status: craft.status, harm });
            }
            let special: Vec<_> = input.special.iter().map(|special| (special.side, special.points)).collect();
            Ok(victory::score(&rules.points, &tallied, &special, input.draw_goes_to, ask))
        }
    }
}
