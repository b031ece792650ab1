//! Morale, damage control and burning.

use super::hits::DamageResult;
use super::ship::{ShipInput, damage_fields, ship_shape};
use super::*;
use crate::end_phase::{DamageControl, Repair, Repaired, burn};
use crate::morale::{self, Decline, Morale, Nerve};
use crate::rule;
use flagplot_kernel::Ask;
use flagplot_referee::About;
use serde::Deserialize;
use serde_json::json;

pub(super) fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![
        Box::new(ShipMorale(Arc::clone(book))),
        Box::new(SquadronMorale(Arc::clone(book))),
        Box::new(AircraftMorale(Arc::clone(book))),
        Box::new(DamageControlProcedure(Arc::clone(book))),
        Box::new(FireBurn(Arc::clone(book))),
    ]
}

// ---- morale ---------------------------------------------------------------------------------------------------------

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct MoraleResult {
    required: bool,
    modifier: i32,
    causes: Vec<MoraleCause>,
    failures: i32,
    passed: bool,
}

impl From<Morale> for MoraleResult {
    fn from(morale: Morale) -> Self {
        let Morale { modifier, causes, failures } = morale;
        Self { required: !causes.is_empty(), modifier, causes, failures, passed: failures == 0 }
    }
}

fn morale_answers() -> Shape {
    answers(&[
        ("required", bool(), "whether there was a cause"),
        ("modifier", number(), "what is added to each die"),
        ("causes", list(words(MoraleCause::WORDS), 0, 4), "why it was tested"),
        ("failures", number(), "tests failed"),
        ("passed", bool(), "whether none failed"),
    ])
}

#[derive(Deserialize)]
struct ShipMoraleInput {
    s_max: i32,
    s_before: i32,
    s_now: i32,
    f_max: i32,
    f_before: i32,
    f_now: i32,
    crew_quality: i32,
    co_on_board: bool,
    command: i32,
    fires: i32,
}

impl ShipMoraleInput {
    fn structure(&self) -> Decline {
        Decline { original: self.s_max, before: self.s_before, now: self.s_now }
    }

    fn flotation(&self) -> Decline {
        Decline { original: self.f_max, before: self.f_before, now: self.f_now }
    }
}

fn check_ship_morale(_: &Book, input: &ShipMoraleInput) -> Result<(), Refusal> {
    input.structure().check("Structure")?;
    input.flotation().check("Flotation")
}

fn run_ship_morale(book: &Book, input: &ShipMoraleInput, ask: &mut impl Ask) -> Result<MoraleResult, Halt> {
    let nerve = Nerve { crew_quality: input.crew_quality, command: input.co_on_board.then_some(input.command) };
    Ok(morale::ship(book, input.structure(), input.flotation(), nerve, input.fires, ask)?.into())
}

procedure!(ShipMorale: ShipMoraleInput => MoraleResult, About {
    name: "ship-morale",
    help: "Whether a ship that was badly hurt this turn keeps her nerve.",
    dice: "a d10 for each cause: structure at a third, structure gone, flotation at a third, flotation gone",
    input: {
        let value = |name, help| req(name, int(0, 200), help);
        record(vec![
            req("s_max", int(1, 200), "original structure"),
            value("s_before", "structure at the start of the turn"),
            value("s_now", "structure now"),
            value("f_max", "original flotation"),
            value("f_before", "flotation at the start of the turn"),
            value("f_now", "flotation now"),
            quality(),
            flag("co_on_board", "the squadron commander is aboard"),
            command(),
            or("fires", int(0, 99), 0, "fires aboard"),
        ])
    },
    result: morale_answers(),
    rules: &[rule::S12_3, rule::R_14, rule::R_33, rule::R_53],
}, check_ship_morale, run_ship_morale);

#[derive(Deserialize)]
struct SquadronMoraleInput {
    original: i32,
    before: i32,
    now: i32,
    command: i32,
}

impl SquadronMoraleInput {
    fn members(&self) -> Decline {
        Decline { original: self.original, before: self.before, now: self.now }
    }
}

fn check_squadron_morale(_: &Book, input: &SquadronMoraleInput) -> Result<(), Refusal> {
    input.members().check("The number of members")
}

fn run_squadron_morale(book: &Book, input: &SquadronMoraleInput, ask: &mut impl Ask) -> Result<MoraleResult, Halt> {
    Ok(morale::squadron(book, input.members(), input.command, ask)?.into())
}

fn count_fields() -> Vec<Field> {
    vec![
        req("original", int(1, 99), "original number"),
        req("before", int(0, 99), "number at the start of the turn"),
        req("now", int(0, 99), "number now"),
    ]
}

procedure!(SquadronMorale: SquadronMoraleInput => MoraleResult, About {
    name: "squadron-morale",
    help: "Whether a squadron that lost members this turn holds together.",
    dice: "a d10 if it is at half its number or below",
    input: {
        let mut fields = count_fields();
        fields.push(req("command", int(-9, 2), "command value"));
        record(fields)
    },
    result: morale_answers(),
    rules: &[rule::S12_5, rule::R_14, rule::R_34],
}, check_squadron_morale, run_squadron_morale);

#[derive(Deserialize)]
struct AircraftMoraleInput {
    original: i32,
    before: i32,
    now: i32,
    crew_quality: i32,
    only_stand: bool,
    command: i32,
}

impl AircraftMoraleInput {
    fn aircraft(&self) -> Decline {
        Decline { original: self.original, before: self.before, now: self.now }
    }
}

fn check_aircraft_morale(_: &Book, input: &AircraftMoraleInput) -> Result<(), Refusal> {
    input.aircraft().check("The number of aircraft")
}

fn run_aircraft_morale(book: &Book, input: &AircraftMoraleInput, ask: &mut impl Ask) -> Result<MoraleResult, Halt> {
    let nerve = Nerve { crew_quality: input.crew_quality, command: input.only_stand.then_some(input.command) };
    Ok(morale::stand(book, input.aircraft(), nerve, ask)?.into())
}

procedure!(AircraftMorale: AircraftMoraleInput => MoraleResult, About {
    name: "aircraft-morale",
    help: "Whether a stand that lost aircraft this turn goes on.",
    dice: "a d10 if it is at a third of its number or below",
    input: {
        let mut fields = count_fields();
        fields.extend([quality(), flag("only_stand", "it is the only stand left of its squadron"), command()]);
        record(fields)
    },
    result: morale_answers(),
    rules: &[rule::S12_4, rule::R_35],
}, check_aircraft_morale, run_aircraft_morale);

// ---- damage-control and fire-burn -----------------------------------------------------------------------------------

#[derive(Deserialize)]
struct ControlInput {
    dc: i32,
    crew_quality: i32,
    fires: i32,
    teams_on_fires: i32,
    repairs: Vec<Repair>,
}

impl ControlInput {
    fn read(&self) -> DamageControl {
        DamageControl {
            dc: self.dc,
            crew_quality: self.crew_quality,
            fires: self.fires,
            teams_on_fires: self.teams_on_fires,
            repairs: self.repairs.clone(),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct ControlResult {
    fires: i32,
    fire_modifier: i32,
    fire_fighting: FireFighting,
    repaired: Vec<RepairItem>,
    speed_restored: i32,
}

fn check_control(_: &Book, input: &ControlInput) -> Result<(), Refusal> {
    input.read().check()
}

fn run_control(book: &Book, input: &ControlInput, ask: &mut impl Ask) -> Result<ControlResult, Halt> {
    let Repaired { fires, fire_modifier, fire_fighting, items, speed_restored } = input.read().work(book, ask)?;
    Ok(ControlResult { fires, fire_modifier, fire_fighting, repaired: items, speed_restored })
}

procedure!(DamageControlProcedure: ControlInput => ControlResult, About {
    name: "damage-control",
    help: "What the damage control teams of a ship achieve.",
    dice: "a d10 against the fires if there are some; for each repair a d10 and, for repaired engines, a d6",
    input: record(vec![
        req("dc", int(0, 99), "teams she has"),
        quality(),
        or("fires", int(0, 99), 0, "fires aboard"),
        or("teams_on_fires", int(0, 99), 0, "teams that fight them"),
        or("repairs", list(record(vec![req("item", words(RepairItem::WORDS), "what is repaired"), req("teams", int(1, 99), "by how many teams")]), 0, 20), json!([]), "all other teams"),
    ]),
    result: answers(&[
        ("fires", number(), "fires left"),
        ("fire_modifier", number(), "what is added against the fires"),
        ("fire_fighting", words(FireFighting::WORDS), "how the fight went"),
        ("repaired", list(words(RepairItem::WORDS), 0, 5), "what was repaired"),
        ("speed_restored", number(), "knots won back"),
    ]),
    rules: &[rule::C_20, rule::R_38],
}, check_control, run_control);

#[derive(Deserialize)]
struct BurnInput {
    ship: ShipInput,
}

fn check_burn(book: &Book, input: &BurnInput) -> Result<(), Refusal> {
    input.ship.read(book, "input.ship").map(|_| ())
}

fn run_burn(book: &Book, input: &BurnInput, ask: &mut impl Ask) -> Result<DamageResult, Halt> {
    let ship = input.ship.read(book, "input.ship")?;
    let mut now = ship.now;
    let harm = burn(book, &ship.sheet, &mut now, ask)?;
    Ok(DamageResult::new(book, &ship, now, 0, Some(harm)))
}

procedure!(FireBurn: BurnInput => DamageResult, About {
    name: "fire-burn",
    help: "What the fires aboard a ship cost at the end of a turn.",
    dice: "a Wreck Test if due",
    input: record(vec![req("ship", ship_shape(), "the ship")]),
    result: record(damage_fields()),
    rules: &[rule::C_20, rule::S10_2],
}, check_burn, run_burn);
