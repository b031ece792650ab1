//! Critical hits, smoke and fire. (Critical hits, Engine critical hits)

use crate::damage::{Boxes, note_breaking_up};
use crate::rule;
use crate::tables::{Critical, EngineRoll, SmokeRoll, Tables};
use crate::who::Who;
use flagplot_kernel::{Ask, Asked, D6, Effect, Note};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// What an aircraft and its pilot have suffered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
#[shape(result)]
pub struct Harm {
    /// The boxes.
    pub boxes: Boxes,
    /// Whether it smokes.
    pub smoking: bool,
    /// Whether it burns; a burning aircraft smokes too.
    pub burning: bool,
    /// Whether the engine is destroyed.
    pub engine_destroyed: bool,
    /// What engine hits take off power rolls.
    #[shape(0..=999)]
    pub power_penalty: i32,
    /// What control hits take off bets.
    #[shape(0..=999)]
    pub control_penalty: i32,
    /// What wounds take off every skill.
    #[shape(0..=999)]
    pub wounds: i32,
}

impl Harm {
    pub fn none(boxes: Boxes) -> Harm {
        Harm {
            boxes,
            smoking: false,
            burning: false,
            engine_destroyed: false,
            power_penalty: 0,
            control_penalty: 0,
            wounds: 0,
        }
    }

    /// What smoke or fire takes off every skill; fire takes the place of smoke.
    pub fn fire_and_smoke_penalty(&self) -> i32 {
        match (self.burning, self.smoking) {
            (true, _) => 3,
            (false, true) => 1,
            (false, false) => 0,
        }
    }

    /// What wounds, smoke and fire take off every skill.
    pub fn skill_penalty(&self) -> i32 {
        self.wounds + self.fire_and_smoke_penalty()
    }
}

/// A critical hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Struck {
    /// The dice.
    #[shape(2..=12)]
    pub roll: i32,
    /// The part that is hit.
    pub effect: Critical,
    /// The engine roll.
    #[shape(1..=6)]
    pub engine_roll: Option<u8>,
    /// The roll for fire.
    #[shape(1..=6)]
    pub smoke_roll: Option<u8>,
    /// Whether the pilot is dead.
    pub pilot_killed: bool,
    /// Whether the aircraft is lost.
    pub destroyed: bool,
}

impl Critical {
    /// What it does, as the log tells it.
    pub fn told(self) -> &'static str {
        match self {
            Critical::EngineDestroyed => "the engine is destroyed",
            Critical::Control2 => "the controls are hit, penalty 2",
            Critical::Control1 => "the controls are hit, penalty 1",
            Critical::EngineHit2 => "the engine is hit, power down by 2",
            Critical::EngineHit1 => "the engine is hit, power down by 1",
            Critical::FillCurrent => "the present set of boxes is filled",
            Critical::FillCurrentAndNext => "the present set of boxes and the next are filled",
            Critical::Wounded1 => "the pilot takes a wound",
            Critical::Wounded3 => "the pilot takes three wounds",
            Critical::PilotKilled => "the pilot is killed",
        }
    }
}

/// One critical hit on an aircraft. (Critical hits)
pub fn strike(tables: &Tables, harm: &mut Harm, who: Who<'_>, ask: &mut impl Ask) -> Asked<Struck> {
    let sum = ask.sum(2, D6, format_args!("critical hit on {}", who.id))?;
    let effect = tables.critical.read(ask, rule::CRITICAL_TABLE, 0, sum.total as i32);
    let mut engine_hit = false;
    match effect {
        Critical::EngineDestroyed => (harm.engine_destroyed, engine_hit) = (true, true),
        Critical::EngineHit2 => (harm.power_penalty, engine_hit) = (harm.power_penalty + 2, true),
        Critical::EngineHit1 => (harm.power_penalty, engine_hit) = (harm.power_penalty + 1, true),
        Critical::Control2 => harm.control_penalty += 2,
        Critical::Control1 => harm.control_penalty += 1,
        Critical::FillCurrent => harm.boxes.fill(1),
        Critical::FillCurrentAndNext => harm.boxes.fill(2),
        Critical::Wounded1 => harm.wounds += 1,
        Critical::Wounded3 => harm.wounds += 3,
        Critical::PilotKilled => {}
    }
    ask.note(|| {
        let mut note = Note::new("critical", format!("{who}: {}.", effect.told()))
            .by(&[rule::CRITICAL_TABLE, rule::R_49])
            .dice(&sum.faces.0)
            .outcome(effect.word())
            .pieces([who.id])
            .effect(Effect::Hit);
        if matches!(effect, Critical::FillCurrent | Critical::FillCurrentAndNext) {
            note = note.by(&[rule::R_35]);
        }
        note
    });
    note_breaking_up(&harm.boxes, ask);
    let mut struck = Struck {
        roll: sum.total as i32,
        effect,
        engine_roll: None,
        smoke_roll: None,
        pilot_killed: effect == Critical::PilotKilled,
        destroyed: effect == Critical::PilotKilled || harm.boxes.used_up(),
    };
    if engine_hit && !harm.burning {
        let die = ask.roll(D6, format_args!("engine of {}", who.id))?;
        struck.engine_roll = Some(die);
        if tables.engine_roll.read(ask, rule::CRITICAL_TABLE, 0, i32::from(die)) == EngineRoll::Smokes {
            harm.smoking = true;
            ask.note(|| {
                Note::new("smoke", format!("{who} trails smoke."))
                    .by(&[rule::SMOKE_FIRE, rule::R_50])
                    .dice(&[die])
                    .pieces([who.id])
            });
            struck.smoke_roll = Some(smoke(tables, harm, who, ask)?);
        } else {
            ask.note(|| {
                Note::new("no-smoke", format!("{who}: the engine does not smoke."))
                    .detail()
                    .by(&[rule::SMOKE_FIRE])
                    .dice(&[die])
                    .pieces([who.id])
            });
        }
    }
    Ok(struck)
}

/// A smoking aircraft may catch fire. (Engine critical hits; R-50)
pub fn smoke(tables: &Tables, harm: &mut Harm, who: Who<'_>, ask: &mut impl Ask) -> Asked<u8> {
    let die = ask.roll(D6, format_args!("smoke of {}", who.id))?;
    if tables.smoke_roll.read(ask, rule::SMOKE_FIRE, 0, i32::from(die)) == SmokeRoll::Burns {
        harm.burning = true;
        ask.note(|| {
            Note::new("fire", format!("{who} is on fire."))
                .by(&[rule::SMOKE_FIRE, rule::R_50])
                .dice(&[die])
                .pieces([who.id])
        });
    } else {
        ask.note(|| {
            Note::new("no-fire", format!("{who} does not catch fire."))
                .detail()
                .by(&[rule::SMOKE_FIRE])
                .dice(&[die])
                .pieces([who.id])
        });
    }
    Ok(die)
}
