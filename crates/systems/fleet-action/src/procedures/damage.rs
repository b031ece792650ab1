//! Weapon loss, armour, and the tests of fate.

use super::*;
use crate::armour::{direction, penetrates, protection};
use crate::ship::{Armour, GunMount, MOST_OTHER, bits, check_mounts, is_lost, missing, unwanted};
use crate::ship_tests::*;
use crate::weapons::{Factors, MainLoss, MountHit, lose_main, lose_other, lose_torpedoes};

procedures![WeaponLoss, ArmourProtection, WreckTest, MagazineTestOfTurret, FuelExplosionTest, CrewTest, FireTestOfHit];

/// A gun mount or a torpedo mount.
#[derive(Deserialize, Shaped)]
struct AnyMount {
    /// How it is mounted; torpedo for torpedo mounts.
    #[serde(rename = "type")]
    make: Option<Make>,
    /// Armour of a gun mount; 0 if left out.
    #[shape(0..=40)]
    ac: Option<i32>,
    /// Guns in the mount; 1 if left out.
    #[shape(1..=9)]
    guns: Option<i32>,
    /// Tubes in the mount; 3 if left out.
    #[shape(1..=9)]
    tubes: Option<i32>,
    /// Where the mount stands.
    #[shape(or = Station::Mid)]
    arc: Station,
    /// The guns can fire at aircraft.
    aa: Option<bool>,
    /// Battery of the mount.
    #[shape(0..=9)]
    battery: Option<i32>,
    /// The mount is already lost.
    #[shape(or = false)]
    lost: bool,
}

impl AnyMount {
    fn check_torpedo(&self, path: &str) -> Result<(), Refusal> {
        let mut gun_only = [
            ("ac", self.ac.is_some()),
            ("guns", self.guns.is_some()),
            ("aa", self.aa.is_some()),
            ("battery", self.battery.is_some()),
        ]
        .into_iter();
        if let Some((field, _)) = gun_only.find(|(_, given)| *given) {
            return Err(unwanted(path, field, "it is for gun mounts"));
        }
        if self.make.is_some_and(|make| make != Make::Torpedo) {
            return Err(Refusal::new("bad-enum", format!("{path}.type must be torpedo in this group.")));
        }
        Ok(())
    }

    fn gun(&self, path: &str) -> Result<GunMount, Refusal> {
        if self.tubes.is_some() {
            return Err(unwanted(path, "tubes", "it is for torpedo mounts"));
        }
        let mounting = match self.make.ok_or_else(|| missing(path, "type"))? {
            Make::Open => Mounting::Open,
            Make::Shielded => Mounting::Shielded,
            Make::Casemate => Mounting::Casemate,
            Make::Turret => Mounting::Turret,
            Make::Torpedo => {
                let text = format!("{path}.type must be one of {} in this group.", Mounting::WORDS.join(", "));
                return Err(Refusal::new("bad-enum", text));
            }
        };
        Ok(GunMount {
            mounting,
            ac: self.ac.unwrap_or(0),
            guns: self.guns.unwrap_or(1),
            arc: self.arc,
            aa: self.aa.unwrap_or(false),
            battery: self.battery.unwrap_or(0),
            lost: self.lost,
        })
    }
}

#[derive(Deserialize, Shaped)]
struct LossInput {
    /// Group of weapons that is struck.
    group: Group,
    /// CV to spend.
    #[shape(1..=40)]
    cv: i32,
    #[serde(flatten)]
    blow: MountHit,
    /// Kind of ship.
    #[shape(or = Kind::Warship)]
    kind: Kind,
    #[serde(flatten)]
    factors: Factors,
    /// Mounts of the group, in the order of the sheet.
    #[shape(items = 0..=MOST_OTHER)]
    mounts: Vec<AnyMount>,
}

/// A request whose mounts are those of its group; torpedo mounts are no gun mounts.
struct Loss {
    input: LossInput,
    guns: Vec<GunMount>,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct LossResult {
    /// How far the loss went.
    outcome: LossOutcome,
    /// Mounts lost, counted from 1.
    #[shape(items = 0..=MOST_OTHER)]
    lost: Vec<usize>,
    /// CV left to spend.
    cv_left: i32,
    #[serde(flatten)]
    factors: Factors,
    /// A Magazine Test follows.
    magazine_test: bool,
}

impl Procedure for WeaponLoss {
    const NAME: &'static str = "weapon-loss";
    const HELP: &'static str = "Which mounts of a group a critical takes.";
    const DICE: &'static str =
        "a die with as many sides as there are main mounts of the class struck, if more than one";
    const RULES: &'static [Rule] = &[rule::S10_8, rule::R_8, rule::C_15];
    type Input = LossInput;
    type Facts = Loss;
    type Output = LossResult;

    fn read(&self, input: LossInput) -> Result<Loss, Refusal> {
        let mut guns = Vec::new();
        for (at, mount) in input.mounts.iter().enumerate() {
            let path = format!("input.mounts[{at}]");
            match input.group {
                Group::Torpedoes => mount.check_torpedo(&path)?,
                Group::Main | Group::Other => guns.push(mount.gun(&path)?),
            }
        }
        check_mounts(&guns, "input.mounts")?;
        Ok(Loss { input, guns })
    }

    fn run(&self, Loss { input, guns }: &Loss, ask: &mut impl Ask) -> Asked<LossResult> {
        let (rules, blow, mounts) = (&*self.0, input.blow, input.mounts.len());
        let before = bits(input.mounts.iter().map(|mount| mount.lost));
        let (mut lost, mut cv_left, mut factors) = (before, input.cv, input.factors);
        let mut magazine_test = false;
        let outcome = match input.group {
            Group::Main => match lose_main(rules, guns, &mut lost, cv_left, blow, ask)? {
                MainLoss::Lost(at) => {
                    magazine_test = guns[at].mounting == Mounting::Turret;
                    cv_left = 0;
                    LossOutcome::Applied
                }
                MainLoss::StoppedByArmour => LossOutcome::StoppedByArmour,
                MainLoss::CannotBeApplied => LossOutcome::CannotBeApplied,
            },
            Group::Other => lose_other(rules, (input.kind, guns), &mut lost, &mut cv_left, blow, &mut factors, ask),
            Group::Torpedoes => lose_torpedoes(rules, mounts, &mut lost, &mut cv_left, ask),
        };
        let lost = (0..mounts).filter(|&at| is_lost(lost, at) && !is_lost(before, at)).map(|at| at + 1).collect();
        Ok(LossResult { outcome, lost, cv_left, factors, magazine_test })
    }
}

#[derive(Deserialize, Shaped)]
struct ArmourInput {
    /// Part of the ship that is struck.
    area: Area,
    /// Weapon that strikes.
    attack: Strike,
    /// Armour classes.
    #[shape(or = {})]
    armour: ArmourGiven,
    /// Penetration.
    #[shape(0..=99)]
    pen: i32,
}

#[derive(Deserialize, Shaped)]
struct ArmourGiven {
    #[serde(flatten)]
    ship: Armour,
    /// Armour of the turret or casemate.
    #[shape(0..=40, or = 0)]
    mount: i32,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct ArmourResult {
    /// Direction of the hit.
    direction: Direction,
    /// Armour that counts.
    ac: i32,
    /// The armour is penetrated.
    penetrates: bool,
}

impl Procedure for ArmourProtection {
    const NAME: &'static str = "armour-protection";
    const HELP: &'static str = "Which armour counts against an attack, and whether it holds.";
    const DICE: &'static str = "a d10 for a kamikaze";
    const RULES: &'static [Rule] = &[rule::S10_4, rule::R_7];
    type Input = ArmourInput;
    type Facts = ArmourInput;
    type Output = ArmourResult;

    fn read(&self, input: ArmourInput) -> Result<ArmourInput, Refusal> {
        Ok(input)
    }

    fn run(&self, facts: &ArmourInput, ask: &mut impl Ask) -> Asked<ArmourResult> {
        let direction = direction(facts.attack, ask)?;
        let ac = protection(facts.area, direction, &facts.armour.ship, facts.armour.mount);
        Ok(ArmourResult { direction, ac, penetrates: penetrates(facts.area, facts.pen, ac, direction, ask) })
    }
}

#[derive(Deserialize, Shaped)]
struct WreckInput {
    #[serde(flatten)]
    sinking: Sinking,
    /// The test comes from a critical.
    #[shape(or = false)]
    from_critical: bool,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct WreckResult {
    /// All modifiers together.
    modifier: i32,
    /// The ship stays afloat.
    survives: bool,
    /// What becomes of the ship.
    fate: Status,
    /// A wreck remains.
    wreck_marker: bool,
}

impl Procedure for WreckTest {
    const NAME: &'static str = "wreck-test";
    const HELP: &'static str = "Whether a ship without flotation stays afloat.";
    const DICE: &'static str = "d10, and again in bad weather if it was passed";
    const RULES: &'static [Rule] = &[rule::S10_2, rule::R_14, rule::R_27];
    type Input = WreckInput;
    type Facts = WreckInput;
    type Output = WreckResult;

    fn read(&self, input: WreckInput) -> Result<WreckInput, Refusal> {
        Ok(input)
    }

    fn run(&self, WreckInput { sinking, from_critical }: &WreckInput, ask: &mut impl Ask) -> Asked<WreckResult> {
        let cause = if *from_critical { WreckCause::Critical } else { WreckCause::Damage };
        let fate = sinking.wreck_test(&self.0, cause, ask)?;
        let (survives, wreck_marker) = (fate == Status::Afloat, fate == Status::Wreck);
        Ok(WreckResult { modifier: sinking.modifiers(&self.0).total(), survives, fate, wreck_marker })
    }
}

#[derive(Deserialize, Shaped)]
struct MagazineInput {
    /// CV of the hit.
    #[shape(0..=60)]
    cv: i32,
    /// Unsafe magazines.
    #[shape(or = false)]
    unsafe_magazines: bool,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct MagazineResult {
    /// What happens.
    outcome: MagazineOutcome,
    #[serde(flatten)]
    test: MagazineTest,
}

impl Procedure for MagazineTestOfTurret {
    const NAME: &'static str = "magazine-test";
    const HELP: &'static str = "What happens below a turret that is lost.";
    const DICE: &'static str = "d20";
    const RULES: &'static [Rule] = &[rule::C_17];
    type Input = MagazineInput;
    type Facts = MagazineTest;
    type Output = MagazineResult;

    fn read(&self, input: MagazineInput) -> Result<MagazineTest, Refusal> {
        Ok(MagazineTest::new(&self.0, input.cv, input.unsafe_magazines))
    }

    fn run(&self, test: &MagazineTest, ask: &mut impl Ask) -> Asked<MagazineResult> {
        Ok(MagazineResult { outcome: test.roll(ask)?, test: *test })
    }
}

#[derive(Deserialize, Shaped)]
struct FuelInput {
    /// CV of the hit, or the number of fires.
    #[shape(0..=99)]
    cv: i32,
    /// Stands being armed.
    #[shape(0..=20, or = 0)]
    rearming: i32,
    /// Poor carrier safety.
    #[shape(or = false)]
    poor_carrier_safety: bool,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct FuelResult {
    /// What happens.
    outcome: FuelOutcome,
    #[serde(flatten)]
    test: FuelTest,
    /// Further fires.
    extra_fires: i32,
}

impl Procedure for FuelExplosionTest {
    const NAME: &'static str = "fuel-explosion-test";
    const HELP: &'static str = "What happens to the fuel and bombs of a carrier.";
    const DICE: &'static str = "d20, and a d6 for a hangar fire";
    const RULES: &'static [Rule] = &[rule::C_19];
    type Input = FuelInput;
    type Facts = FuelTest;
    type Output = FuelResult;

    fn read(&self, input: FuelInput) -> Result<FuelTest, Refusal> {
        Ok(FuelTest::new(&self.0, input.cv, input.rearming, input.poor_carrier_safety))
    }

    fn run(&self, test: &FuelTest, ask: &mut impl Ask) -> Asked<FuelResult> {
        let (outcome, extra_fires) = test.roll(ask)?;
        Ok(FuelResult { outcome, test: *test, extra_fires })
    }
}

#[derive(Deserialize, Shaped)]
struct CrewInput {
    /// Crew quality.
    #[shape(-9..=2)]
    crew_quality: i32,
    /// Any other modifier.
    #[shape(-20..=20, or = 0)]
    modifier: i32,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct CrewResult {
    /// The test is passed.
    passed: bool,
    /// The die with all modifiers.
    total: i32,
}

impl Procedure for CrewTest {
    const NAME: &'static str = "crew-test";
    const HELP: &'static str = "Whether a crew carries out an order.";
    const DICE: &'static str = "d10";
    const RULES: &'static [Rule] = &[rule::C_21, rule::R_14];
    type Input = CrewInput;
    type Facts = CrewInput;
    type Output = CrewResult;

    fn read(&self, input: CrewInput) -> Result<CrewInput, Refusal> {
        Ok(input)
    }

    fn run(&self, facts: &CrewInput, ask: &mut impl Ask) -> Asked<CrewResult> {
        let mut test = crew_test(&self.0, "Crew Test", facts.crew_quality);
        test.modifiers = test.modifiers.with("modifier", facts.modifier, rule::C_21);
        let (total, passed) = test.roll_total(ask)?;
        Ok(CrewResult { passed, total })
    }
}

#[derive(Deserialize, Shaped)]
struct FireInput {
    /// CV of the hit.
    #[shape(0..=60)]
    cv: i32,
    /// A failure is rolled again once.
    #[shape(or = false)]
    reroll_failure: bool,
}

impl Procedure for FireTestOfHit {
    const NAME: &'static str = "fire-test";
    const HELP: &'static str = "Whether a hit starts a fire.";
    const DICE: &'static str = "d20, and a d20 for a failure that is rolled again";
    const RULES: &'static [Rule] = &[rule::C_21];
    type Input = FireInput;
    type Facts = FireInput;
    type Output = FireTest;

    fn read(&self, input: FireInput) -> Result<FireInput, Refusal> {
        Ok(input)
    }

    fn run(&self, facts: &FireInput, ask: &mut impl Ask) -> Asked<FireTest> {
        let second = if facts.reroll_failure { SecondChance::Yes } else { SecondChance::No };
        fire_test(facts.cv, second, ask)
    }
}
