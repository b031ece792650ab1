//! Range, fire, damage, criticals, smoke and fire, victory.

use super::Sheet;
use crate::Rules;
use crate::critical::{self, Harm, Struck};
use crate::damage::{self, Boxes, Wear};
use crate::fire::{self, Burst, FARTHEST, Gun};
use crate::position::Position;
use crate::refusals::Barred;
use crate::rule;
use crate::victory::{self, Grade, Score, SideOrNobody, Tallied};
use crate::who::Who;
use crate::words::{Alliance, Pip, Status};
use flagplot_kernel::{Ask, Asked, Refusal, Rule};
use flagplot_referee::{Procedure, Shaped, word, words};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Deserialize, Shaped)]
pub(super) struct RangeInput {
    /// The firer's position.
    firer: Position,
    /// The target's position.
    target: Position,
}

pub(super) struct FireRange(pub Arc<Rules>);

impl Procedure for FireRange {
    const NAME: &'static str = "fire-range";
    const HELP: &'static str = "The range between two aircraft, and whether one can fire at the other.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::RANGE, rule::R_43, rule::R_44, rule::R_45];
    type Input = RangeInput;
    type Facts = RangeInput;
    type Output = fire::FireRange;

    fn read(&self, input: RangeInput) -> Result<RangeInput, Refusal> {
        Ok(input)
    }

    fn run(&self, input: &RangeInput, ask: &mut impl Ask) -> Asked<fire::FireRange> {
        let range = fire::range(&self.0.tables, &input.firer, &input.target);
        fire::note_range(&range, ask);
        Ok(range)
    }
}

/// Which pip is moved; `auto` is the best.
#[words]
enum PipChoice {
    Auto,
    None,
    Subtract,
    Add,
}

impl PipChoice {
    /// The pip that is named, if one is.
    fn named(self) -> Option<Pip> {
        match self {
            PipChoice::Auto => None,
            PipChoice::None => Some(Pip::None),
            PipChoice::Subtract => Some(Pip::Subtract),
            PipChoice::Add => Some(Pip::Add),
        }
    }
}

/// Whether a gun may fire, apart from its pip.
fn check_gun(gun: &Gun, reasons: &mut Vec<Refusal>) {
    if gun.edge < 1 {
        reasons.push(Barred::NoEdge.into());
    }
    if gun.half_hexes > FARTHEST {
        reasons.push(Barred::TooFar { half_hexes: gun.half_hexes }.into());
    }
}

fn burst(rules: &Rules, gun: &Gun, pip: Option<Pip>, ask: &mut impl Ask) -> Asked<Burst> {
    let dice = fire::gun_dice(Who::AIRCRAFT, ask)?;
    let pip = pip.unwrap_or_else(|| gun.best_pip(&rules.tables, dice));
    if let Err(barred) = gun.check_pip(dice, pip) {
        return Err(ask.refuse(barred.into()));
    }
    Ok(fire::burst(gun, dice, pip, Who::AIRCRAFT, &rules.tables, ask))
}

#[derive(Deserialize, Shaped)]
pub(super) struct FireInput {
    #[serde(flatten)]
    gun: Gun,
    /// Which pip is moved.
    #[shape(or = PipChoice::Auto)]
    pip: PipChoice,
}

pub(super) struct Fire(pub Arc<Rules>);

impl Procedure for Fire {
    const NAME: &'static str = "fire";
    const HELP: &'static str = "The roll of one gun.";
    const DICE: &'static str = "2d6";
    const RULES: &'static [Rule] = &[rule::FIRE, rule::CRITICALS, rule::R_46, rule::R_47, rule::R_48];
    type Input = FireInput;
    type Facts = (Gun, Option<Pip>);
    type Output = Burst;

    fn read(&self, FireInput { gun, pip }: FireInput) -> Result<Self::Facts, Refusal> {
        let mut reasons = Vec::new();
        check_gun(&gun, &mut reasons);
        reasons.extend(pip.named().and_then(|pip| gun.check_pip_skill(pip).err()).map(Refusal::from));
        Refusal::all(reasons)?;
        Ok((gun, pip.named()))
    }

    fn run(&self, (gun, pip): &Self::Facts, ask: &mut impl Ask) -> Asked<Burst> {
        burst(&self.0, gun, *pip, ask)
    }
}

#[derive(Deserialize, Shaped)]
pub(super) struct AttackInput {
    #[serde(flatten)]
    gun: Gun,
    /// Whether the best pip is moved.
    #[shape(with = word(&PipChoice::WORDS[..2]), or = PipChoice::Auto)]
    pip: PipChoice,
    /// How many guns.
    #[shape(1..=2)]
    guns: u8,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct AttackOutput {
    /// All modifiers of the dice.
    #[shape(-999..=999)]
    modifier: i32,
    /// How many hits make a critical.
    #[shape(2..=999)]
    hits_per_critical: i32,
    /// Each gun.
    #[shape(items = 1..=2)]
    guns: Vec<Burst>,
    /// Hits of all guns.
    #[shape(0..=999)]
    hits: i32,
    /// Critical hits of all guns.
    #[shape(0..=999)]
    criticals: i32,
}

pub(super) struct Attack(pub Arc<Rules>);

impl Procedure for Attack {
    const NAME: &'static str = "attack";
    const HELP: &'static str = "The rolls of all guns of an aircraft.";
    const DICE: &'static str = "2d6 for each gun";
    const RULES: &'static [Rule] = Fire::RULES;
    type Input = AttackInput;
    type Facts = AttackInput;
    type Output = AttackOutput;

    fn read(&self, input: AttackInput) -> Result<AttackInput, Refusal> {
        let mut reasons = Vec::new();
        check_gun(&input.gun, &mut reasons);
        Refusal::all(reasons)?;
        Ok(input)
    }

    fn run(&self, AttackInput { gun, pip, guns }: &AttackInput, ask: &mut impl Ask) -> Asked<AttackOutput> {
        let guns = (0..*guns).map(|_| burst(&self.0, gun, pip.named(), ask)).collect::<Asked<Vec<_>>>()?;
        Ok(AttackOutput {
            modifier: gun.modifier(&self.0.tables),
            hits_per_critical: gun.hits_per_critical(),
            hits: guns.iter().map(|burst| burst.hits).sum(),
            criticals: guns.iter().map(|burst| burst.criticals).sum(),
            guns,
        })
    }
}

#[derive(Deserialize, Shaped)]
pub(super) struct DamageInput {
    /// The damage boxes, one text of . / X # for each set.
    boxes: Sheet,
    /// How many hits.
    #[shape(0..=9999)]
    hits: i32,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct DamageOutput {
    /// The boxes after it.
    boxes: Boxes,
    #[serde(flatten)]
    wear: Wear,
    /// Hits that found no box.
    #[shape(0..=9999)]
    hits_without_box: i32,
    /// Whether the aircraft is lost.
    destroyed: bool,
}

pub(super) struct Damage;

impl Procedure for Damage {
    const NAME: &'static str = "damage";
    const HELP: &'static str = "Marks hits and says what the damage does.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::DAMAGE, rule::C_6, rule::C_11];
    type Input = DamageInput;
    type Facts = (Boxes, i32);
    type Output = DamageOutput;

    fn read(&self, input: DamageInput) -> Result<Self::Facts, Refusal> {
        Ok((input.boxes.read()?, input.hits))
    }

    fn run(&self, &(mut boxes, hits): &Self::Facts, ask: &mut impl Ask) -> Asked<DamageOutput> {
        let hits_without_box = damage::hits(&mut boxes, hits, Who::AIRCRAFT, ask);
        let destroyed = boxes.used_up() || hits_without_box > 0;
        Ok(DamageOutput { boxes, wear: boxes.wear(), hits_without_box, destroyed })
    }
}

#[derive(Deserialize, Shaped)]
pub(super) struct CriticalInput {
    /// The damage boxes, one text of . / X # for each set.
    boxes: Sheet,
    /// Whether it smokes.
    #[shape(or = false)]
    smoking: bool,
    /// Whether it burns.
    #[shape(or = false)]
    burning: bool,
    /// Whether the engine is destroyed.
    #[shape(or = false)]
    engine_destroyed: bool,
    /// Damage to the engine.
    #[shape(0..=99, or = 0)]
    power_penalty: i32,
    /// Damage to the controls.
    #[shape(0..=99, or = 0)]
    control_penalty: i32,
    /// Wounds of the pilot.
    #[shape(0..=99, or = 0)]
    wounds: i32,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct CriticalOutput {
    #[serde(flatten)]
    struck: Struck,
    #[serde(flatten)]
    harm: Harm,
    /// What wounds, smoke and fire take off every skill.
    #[shape(0..=198)]
    skill_penalty: i32,
}

pub(super) struct CriticalHit(pub Arc<Rules>);

impl Procedure for CriticalHit {
    const NAME: &'static str = "critical-hit";
    const HELP: &'static str = "One critical hit, with the smoke and fire it may cause.";
    const DICE: &'static str = "2d6; for engine results of an aircraft that does not burn d6, and on 1 to 3 another d6";
    const RULES: &'static [Rule] = &[rule::CRITICAL_TABLE, rule::SMOKE_FIRE, rule::R_49, rule::R_50];
    type Input = CriticalInput;
    type Facts = Harm;
    type Output = CriticalOutput;

    fn read(&self, input: CriticalInput) -> Result<Harm, Refusal> {
        Ok(Harm {
            boxes: input.boxes.read()?,
            smoking: input.smoking || input.burning,
            burning: input.burning,
            engine_destroyed: input.engine_destroyed,
            power_penalty: input.power_penalty,
            control_penalty: input.control_penalty,
            wounds: input.wounds,
        })
    }

    fn run(&self, harm: &Harm, ask: &mut impl Ask) -> Asked<CriticalOutput> {
        let mut harm = *harm;
        let struck = critical::strike(&self.0.tables, &mut harm, Who::AIRCRAFT, ask)?;
        Ok(CriticalOutput { struck, harm, skill_penalty: harm.skill_penalty() })
    }
}

#[derive(Deserialize, Shaped)]
pub(super) struct SmokeInput {
    /// Whether it smokes.
    smoking: bool,
    /// Whether it burns already.
    #[shape(or = false)]
    burning: bool,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct SmokeOutput {
    /// The die.
    #[shape(1..=6)]
    die: u8,
    /// Whether it burns now.
    burning: bool,
    /// What that takes off every skill.
    #[shape(0..=3)]
    fire_and_smoke_penalty: i32,
}

pub(super) struct EngineSmoke(pub Arc<Rules>);

impl Procedure for EngineSmoke {
    const NAME: &'static str = "engine-smoke";
    const HELP: &'static str = "Whether a smoking aircraft catches fire.";
    const DICE: &'static str = "d6";
    const RULES: &'static [Rule] = &[rule::SMOKE_FIRE, rule::R_50];
    type Input = SmokeInput;
    type Facts = Harm;
    type Output = SmokeOutput;

    fn read(&self, input: SmokeInput) -> Result<Harm, Refusal> {
        match (input.burning, input.smoking) {
            (true, _) => Err(Barred::AlreadyBurning.into()),
            (false, false) => Err(Barred::NotSmoking.into()),
            (false, true) => Ok(Harm { smoking: true, ..Harm::none(Boxes::clean(4, 6)) }),
        }
    }

    fn run(&self, harm: &Harm, ask: &mut impl Ask) -> Asked<SmokeOutput> {
        let mut harm = *harm;
        let die = critical::smoke(&self.0.tables, &mut harm, Who::AIRCRAFT, ask)?;
        Ok(SmokeOutput { die, burning: harm.burning, fire_and_smoke_penalty: harm.fire_and_smoke_penalty() })
    }
}

#[derive(Deserialize, Shaped)]
pub(super) struct BurnInput {
    /// The damage boxes, one text of . / X # for each set.
    boxes: Sheet,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct BurnOutput {
    /// The die.
    #[shape(1..=6)]
    die: u8,
    /// Boxes burnt.
    #[shape(0..=6)]
    burnt: i32,
    /// The boxes after it.
    boxes: Boxes,
    #[serde(flatten)]
    wear: Wear,
    /// Whether the aircraft is lost.
    destroyed: bool,
}

pub(super) struct FireDamage;

impl Procedure for FireDamage {
    const NAME: &'static str = "fire-damage";
    const HELP: &'static str = "What a fire burns at the start of a turn.";
    const DICE: &'static str = "d6";
    const RULES: &'static [Rule] = &[rule::SMOKE_FIRE, rule::R_51, rule::C_6];
    type Input = BurnInput;
    type Facts = Boxes;
    type Output = BurnOutput;

    fn read(&self, input: BurnInput) -> Result<Boxes, Refusal> {
        input.boxes.read()
    }

    fn run(&self, boxes: &Boxes, ask: &mut impl Ask) -> Asked<BurnOutput> {
        let mut boxes = *boxes;
        let (die, burnt) = damage::fire_damage(&mut boxes, Who::AIRCRAFT, ask)?;
        Ok(BurnOutput { die, burnt, boxes, wear: boxes.wear(), destroyed: boxes.used_up() })
    }
}

#[derive(Deserialize, Shaped)]
struct Counted {
    /// Its side.
    side: Alliance,
    /// Its pilot.
    grade: Grade,
    /// Where it is.
    status: Status,
    /// The damage boxes, one text of . / X # for each set.
    boxes: Sheet,
    /// Whether the engine is destroyed.
    #[shape(or = false)]
    engine_destroyed: bool,
    /// Whether it smokes.
    #[shape(or = false)]
    smoking: bool,
    /// Whether it burns.
    #[shape(or = false)]
    burning: bool,
    /// Wounds of the pilot.
    #[shape(0..=99, or = 0)]
    wounds: i32,
}

#[derive(Deserialize, Shaped)]
struct SpecialPoints {
    /// The side that gets them.
    side: Alliance,
    /// How many.
    #[shape(-9999..=9999)]
    points: i64,
}

#[derive(Deserialize, Shaped)]
pub(super) struct VictoryInput {
    /// All aircraft.
    #[shape(items = 0..=64)]
    aircraft: Vec<Counted>,
    /// Points of the scenario.
    #[shape(items = 0..=64, or = [])]
    special: Vec<SpecialPoints>,
    /// The side that wins a draw.
    #[shape(or = SideOrNobody::Nobody)]
    draw_goes_to: SideOrNobody,
}

pub(super) struct VictoryFacts {
    craft: Vec<Tallied>,
    special: Vec<(Alliance, i64)>,
    draw_goes_to: SideOrNobody,
}

pub(super) struct VictoryPoints(pub Arc<Rules>);

impl Procedure for VictoryPoints {
    const NAME: &'static str = "victory-points";
    const HELP: &'static str = "The points of both sides, and who has won.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::VICTORY, rule::C_8, rule::C_10];
    type Input = VictoryInput;
    type Facts = VictoryFacts;
    type Output = Score;

    fn read(&self, VictoryInput { aircraft, special, draw_goes_to }: VictoryInput) -> Result<VictoryFacts, Refusal> {
        let (mut craft, mut reasons) = (Vec::new(), Vec::new());
        for Counted { side, grade, status, boxes, engine_destroyed, smoking, burning, wounds } in aircraft {
            match boxes.read() {
                Err(refusal) => reasons.push(refusal),
                Ok(boxes) => {
                    let harm = Harm { engine_destroyed, smoking, burning, wounds, ..Harm::none(boxes) };
                    craft.push(Tallied { side, grade, status, harm });
                }
            }
        }
        Refusal::all(reasons)?;
        let special = special.into_iter().map(|special| (special.side, special.points)).collect();
        Ok(VictoryFacts { craft, special, draw_goes_to })
    }

    fn run(&self, facts: &VictoryFacts, ask: &mut impl Ask) -> Asked<Score> {
        Ok(victory::score(&self.0.points, &facts.craft, &facts.special, facts.draw_goes_to, ask))
    }
}
