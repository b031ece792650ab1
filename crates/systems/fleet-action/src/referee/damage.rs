//! Weapon loss, armour, and the tests of fate.

use super::ship::{armour_fields, check_mounts};
use super::*;
use crate::armour::{direction, penetrates, protection};
use crate::rule;
use crate::ship::{Armour, GunMount, MOST_OTHER, is_lost};
use crate::tests_of_fate::*;
use crate::weapons::{Blow, Factors, MainLoss, lose_main, lose_other, lose_torpedoes};
use flagplot_kernel::Ask;
use flagplot_referee::About;
use serde::Deserialize;
use serde_json::json;

pub(super) fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![
        Box::new(WeaponLoss(Arc::clone(book))),
        Box::new(ArmourProtection(Arc::clone(book))),
        Box::new(WreckTest(Arc::clone(book))),
        Box::new(MagazineTestProcedure(Arc::clone(book))),
        Box::new(FuelExplosionTest(Arc::clone(book))),
        Box::new(CrewTest(Arc::clone(book))),
        Box::new(FireTestProcedure(Arc::clone(book))),
    ]
}

// ---- weapon-loss ----------------------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct MountInput {
    #[serde(rename = "type")]
    make: Option<String>,
    ac: Option<i32>,
    guns: Option<i32>,
    tubes: Option<i32>,
    arc: Station,
    aa: Option<bool>,
    battery: Option<i32>,
    lost: bool,
}

#[derive(Deserialize)]
struct LossInput {
    group: Group,
    cv: i32,
    pen: i32,
    direction: Direction,
    deck: i32,
    kind: Kind,
    asw: i32,
    mrf: i32,
    crf: i32,
    mounts: Vec<MountInput>,
}

impl LossInput {
    /// Gun mounts, or none where torpedo mounts are struck.
    fn guns(&self) -> Result<Vec<GunMount>, Refusal> {
        let mut guns = Vec::new();
        for (at, mount) in self.mounts.iter().enumerate() {
            let path = format!("input.mounts[{at}]");
            if self.group == Group::Torpedoes {
                let gun_only = [
                    ("ac", mount.ac.is_some()),
                    ("guns", mount.guns.is_some()),
                    ("aa", mount.aa.is_some()),
                    ("battery", mount.battery.is_some()),
                ];
                if let Some((field, _)) = gun_only.into_iter().find(|(_, given)| *given) {
                    return Err(unwanted(&path, field, "it is for gun mounts"));
                }
                if mount.make.as_deref().is_some_and(|make| make != "torpedo") {
                    return Err(Refusal::new("bad-enum", format!("{path}.type must be torpedo in this group.")));
                }
                continue;
            }
            if mount.tubes.is_some() {
                return Err(unwanted(&path, "tubes", "it is for torpedo mounts"));
            }
            let make = mount.make.as_deref().ok_or_else(|| missing(&path, "type"))?;
            let Some(&mounting) = Mounting::ALL.iter().find(|mounting| mounting.word() == make) else {
                return Err(Refusal::new(
                    "bad-enum",
                    format!("{path}.type must be one of {} in this group.", Mounting::WORDS.join(", ")),
                ));
            };
            guns.push(GunMount {
                mounting,
                ac: mount.ac.unwrap_or(0),
                guns: mount.guns.unwrap_or(1),
                arc: mount.arc,
                aa: mount.aa.unwrap_or(false),
                battery: mount.battery.unwrap_or(0),
                lost: mount.lost,
            });
        }
        check_mounts(&guns, "input.mounts")?;
        Ok(guns)
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct LossResult {
    outcome: LossOutcome,
    lost: Vec<usize>,
    cv_left: i32,
    asw: i32,
    mrf: i32,
    crf: i32,
    magazine_test: bool,
}

fn check_loss(_: &Book, input: &LossInput) -> Result<(), Refusal> {
    input.guns().map(|_| ())
}

fn run_loss(book: &Book, input: &LossInput, ask: &mut impl Ask) -> Result<LossResult, Halt> {
    let guns = input.guns()?;
    let before = input.mounts.iter().enumerate().fold(0u64, |bits, (at, mount)| bits | u64::from(mount.lost) << at);
    let (mut lost, mut budget) = (before, input.cv);
    let mut factors = Factors { kind: input.kind, asw: input.asw, mrf: input.mrf, crf: input.crf };
    let blow = Blow { pen: input.pen, direction: input.direction, deck: input.deck };
    let mut magazine_test = false;
    let outcome = match input.group {
        Group::Main => match lose_main(book, &guns, &mut lost, budget, blow, ask)? {
            MainLoss::Lost(at) => {
                magazine_test = guns[at].mounting == Mounting::Turret;
                budget = 0;
                LossOutcome::Applied
            }
            MainLoss::StoppedByArmour => LossOutcome::StoppedByArmour,
            MainLoss::CannotBeApplied => LossOutcome::CannotBeApplied,
        },
        Group::Other => lose_other(book, &guns, &mut lost, &mut budget, blow, &mut factors, ask),
        Group::Torpedoes => lose_torpedoes(book, input.mounts.len(), &mut lost, &mut budget, ask),
    };
    let lost =
        (0..input.mounts.len()).filter(|&at| is_lost(lost, at) && !is_lost(before, at)).map(|at| at + 1).collect();
    Ok(LossResult {
        outcome,
        lost,
        cv_left: budget,
        asw: factors.asw,
        mrf: factors.mrf,
        crf: factors.crf,
        magazine_test,
    })
}

fn any_mount() -> Shape {
    let mut makes = Mounting::WORDS.to_vec();
    makes.push("torpedo");
    record(vec![
        opt("type", word(&makes), "how it is mounted; torpedo for torpedo mounts"),
        opt("ac", int(0, 40), "armour of a gun mount; 0"),
        opt("guns", int(1, 9), "guns in it; 1"),
        opt("tubes", int(1, 9), "tubes in it; 3"),
        or("arc", words(Station::WORDS), "mid", "where it stands"),
        opt("aa", bool(), "whether it shoots at aircraft"),
        opt("battery", int(0, 9), "the battery it belongs to"),
        flag("lost", "whether it is lost already"),
    ])
}

procedure!(WeaponLoss: LossInput => LossResult, About {
    name: "weapon-loss",
    help: "Which mounts of a group a critical takes.",
    dice: "a die with as many sides as there are main mounts of the class struck, if more than one",
    input: {
        let factor = |name, help| or(name, int(0, 20), 0, help);
        record(vec![
            req("group", words(Group::WORDS), "which weapons are struck"),
            req("cv", int(1, 40), "what there is to spend"),
            or("pen", int(0, 99), 99, "penetration"),
            or("direction", words(Direction::WORDS), "vertical", "how it strikes"),
            or("deck", int(0, 40), 0, "armour of the deck above casemates"),
            or("kind", words(Kind::WORDS), "warship", "what she is"),
            factor("asw", "depth charge factors"),
            factor("mrf", "medium range fire"),
            factor("crf", "close range fire"),
            req("mounts", list(any_mount(), 0, MOST_OTHER), "the mounts of the group in the order of the sheet"),
        ])
    },
    result: answers(&[
        ("outcome", words(LossOutcome::WORDS), "how far it went"),
        ("lost", list(number(), 0, MOST_OTHER), "mounts lost, counted from 1"),
        ("cv_left", number(), "what is left to spend"),
        ("asw", number(), "depth charge factors left"),
        ("mrf", number(), "medium range fire left"),
        ("crf", number(), "close range fire left"),
        ("magazine_test", bool(), "whether a Magazine Test follows"),
    ]),
    rules: &[rule::S10_8, rule::R_8, rule::C_15],
}, check_loss, run_loss);

// ---- armour-protection ----------------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct ArmourInput {
    area: Area,
    attack: Strike,
    armour: ArmourGiven,
    pen: i32,
}

#[derive(Deserialize)]
struct ArmourGiven {
    belt: i32,
    deck: i32,
    ct: i32,
    flight_deck: i32,
    mount: i32,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct ArmourResult {
    direction: Direction,
    ac: i32,
    penetrates: bool,
}

fn run_armour(_: &Book, input: &ArmourInput, ask: &mut impl Ask) -> Result<ArmourResult, Halt> {
    let ArmourGiven { belt, deck, ct, flight_deck, mount } = input.armour;
    let direction = direction(input.attack, ask)?;
    let ac = protection(input.area, direction, &Armour { belt, deck, ct, flight_deck }, mount);
    Ok(ArmourResult { direction, ac, penetrates: penetrates(input.area, input.pen, ac, direction, ask) })
}

procedure!(ArmourProtection: ArmourInput => ArmourResult, About {
    name: "armour-protection",
    help: "Which armour counts against an attack, and whether it holds.",
    dice: "a d10 for a kamikaze",
    input: {
        let mut fields = armour_fields();
        fields.push(or("mount", int(0, 40), 0, "armour of the turret or casemate"));
        record(vec![
            req("area", words(Area::WORDS), "what is struck"),
            req("attack", words(Strike::WORDS), "by what"),
            or("armour", record(fields), json!({}), "armour classes"),
            req("pen", int(0, 99), "penetration"),
        ])
    },
    result: answers(&[("direction", words(Direction::WORDS), "how it strikes"), ("ac", number(), "the armour that counts"), ("penetrates", bool(), "whether it is penetrated")]),
    rules: &[rule::S10_4, rule::R_7],
}, no_check, run_armour);

// ---- wreck-test -----------------------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct WreckInput {
    crew_quality: i32,
    dc: i32,
    fires: i32,
    poor_carrier_safety: bool,
    poor_underwater: bool,
    bad_weather: bool,
    from_critical: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct WreckResult {
    modifier: i32,
    survives: bool,
    fate: Status,
    wreck_marker: bool,
}

fn run_wreck(book: &Book, input: &WreckInput, ask: &mut impl Ask) -> Result<WreckResult, Halt> {
    let WreckInput { crew_quality, dc, fires, poor_carrier_safety, poor_underwater, bad_weather, from_critical } =
        *input;
    let sinking = Sinking { crew_quality, dc, fires, poor_carrier_safety, poor_underwater, bad_weather };
    let cause = if from_critical { WreckCause::Critical } else { WreckCause::Damage };
    let fate = sinking.wreck_test(book, cause, ask)?;
    Ok(WreckResult {
        modifier: sinking.modifiers(book).total(),
        survives: fate == Status::Afloat,
        fate,
        wreck_marker: fate == Status::Wreck,
    })
}

procedure!(WreckTest: WreckInput => WreckResult, About {
    name: "wreck-test",
    help: "Whether a ship without flotation stays afloat.",
    dice: "d10, and again in bad weather if it was passed",
    input: record(vec![
        quality(),
        or("dc", int(0, 99), 0, "damage control teams"),
        or("fires", int(0, 99), 0, "fires aboard"),
        flag("poor_carrier_safety", "poor carrier safety"),
        flag("poor_underwater", "poor underwater protection"),
        flag("bad_weather", "she lies in bad weather"),
        flag("from_critical", "the test comes from a critical"),
    ]),
    result: answers(&[
        ("modifier", number(), "all modifiers together"),
        ("survives", bool(), "whether she stays afloat"),
        ("fate", word(&["afloat", "wreck", "sunk"]), "what becomes of her"),
        ("wreck_marker", bool(), "whether a wreck remains"),
    ]),
    rules: &[rule::S10_2, rule::R_14, rule::R_27],
}, no_check, run_wreck);

// ---- magazine-test and fuel-explosion-test --------------------------------------------------------------------------

#[derive(Deserialize)]
struct MagazineInput {
    cv: i32,
    unsafe_magazines: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct MagazineResult {
    outcome: MagazineOutcome,
    explosion_on: i32,
    flashover_on: i32,
}

fn run_magazine(book: &Book, input: &MagazineInput, ask: &mut impl Ask) -> Result<MagazineResult, Halt> {
    let test = MagazineTest::new(book, input.cv, input.unsafe_magazines);
    Ok(MagazineResult { outcome: test.roll(ask)?, explosion_on: test.explosion_on, flashover_on: test.flashover_on })
}

procedure!(MagazineTestProcedure: MagazineInput => MagazineResult, About {
    name: "magazine-test",
    help: "What happens below a turret that is lost.",
    dice: "d20",
    input: record(vec![req("cv", int(0, 60), "the CV of the hit"), flag("unsafe_magazines", "unsafe magazines")]),
    result: answers(&[
        ("outcome", words(MagazineOutcome::WORDS), "what happens"),
        ("explosion_on", number(), "the last face of an explosion"),
        ("flashover_on", number(), "the last face of a flashover"),
    ]),
    rules: &[rule::C_17],
}, no_check, run_magazine);

#[derive(Deserialize)]
struct FuelInput {
    cv: i32,
    rearming: i32,
    poor_carrier_safety: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct FuelResult {
    outcome: FuelOutcome,
    explosion_on: i32,
    hangar_fire_on: i32,
    extra_fires: i32,
}

fn run_fuel(book: &Book, input: &FuelInput, ask: &mut impl Ask) -> Result<FuelResult, Halt> {
    let test = FuelTest::new(book, input.cv, input.rearming, input.poor_carrier_safety);
    let (outcome, extra_fires) = test.roll(ask)?;
    Ok(FuelResult { outcome, explosion_on: test.explosion_on, hangar_fire_on: test.hangar_fire_on, extra_fires })
}

procedure!(FuelExplosionTest: FuelInput => FuelResult, About {
    name: "fuel-explosion-test",
    help: "What happens to the fuel and bombs of a carrier.",
    dice: "d20, and a d6 for a hangar fire",
    input: record(vec![req("cv", int(0, 99), "the CV of the hit, or the fires"), or("rearming", int(0, 20), 0, "stands being armed"), flag("poor_carrier_safety", "poor carrier safety")]),
    result: answers(&[
        ("outcome", words(FuelOutcome::WORDS), "what happens"),
        ("explosion_on", number(), "the last face of an explosion"),
        ("hangar_fire_on", number(), "the last face of a hangar fire"),
        ("extra_fires", number(), "further fires"),
    ]),
    rules: &[rule::C_19],
}, no_check, run_fuel);

// ---- crew-test and fire-test ----------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct CrewInput {
    crew_quality: i32,
    modifier: i32,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct CrewResult {
    passed: bool,
    total: i32,
}

fn run_crew(book: &Book, input: &CrewInput, ask: &mut impl Ask) -> Result<CrewResult, Halt> {
    let mut test = crew_test(book, "Crew Test", input.crew_quality);
    test.modifiers = test.modifiers.with("modifier", input.modifier, rule::C_21);
    let (total, passed) = test.roll_total(ask)?;
    Ok(CrewResult { passed, total })
}

procedure!(CrewTest: CrewInput => CrewResult, About {
    name: "crew-test",
    help: "Whether a crew does what is asked of it.",
    dice: "d10",
    input: record(vec![quality_required(), or("modifier", int(-20, 20), 0, "anything else that counts")]),
    result: answers(&[("passed", bool(), "whether it is passed"), ("total", number(), "the die with all modifiers")]),
    rules: &[rule::C_21, rule::R_14],
}, no_check, run_crew);

fn quality_required() -> Field {
    req("crew_quality", int(-9, 2), "crew quality")
}

#[derive(Deserialize)]
struct FireInput {
    cv: i32,
    reroll_failure: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct FireResult {
    success: bool,
    rerolled: bool,
}

fn run_fire(_: &Book, input: &FireInput, ask: &mut impl Ask) -> Result<FireResult, Halt> {
    let second = if input.reroll_failure { SecondChance::Yes } else { SecondChance::No };
    let FireTest { success, rerolled } = fire_test(input.cv, second, ask)?;
    Ok(FireResult { success, rerolled })
}

procedure!(FireTestProcedure: FireInput => FireResult, About {
    name: "fire-test",
    help: "Whether a hit starts a fire.",
    dice: "d20, and a d20 for a failure that is rolled again",
    input: record(vec![req("cv", int(0, 60), "the CV of the hit"), flag("reroll_failure", "a failure is rolled again once")]),
    result: answers(&[("success", bool(), "whether a fire breaks out"), ("rerolled", bool(), "whether a failure was rolled again")]),
    rules: &[rule::C_21],
}, no_check, run_fire);
