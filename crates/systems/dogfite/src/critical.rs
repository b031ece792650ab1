//! Critical hits, smoke and fire. (Critical hits, Engine critical hits)

use crate::damage::{Boxes, note_breaking_up};
use crate::rule;
use crate::tables::{Critical, EngineRoll, SmokeRoll, Tables};
use flagplot_kernel::{Ask, Asked, D6, Note};
use serde::{Deserialize, Serialize};

/// What an aircraft and its pilot have suffered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Harm {
    /// The boxes.
    pub boxes: Boxes,
    /// Whether it smokes.
    pub smoking: bool,
    /// Whether it burns, which it does not without smoke.
    pub burning: bool,
    /// Whether the engine has gone.
    pub engine_destroyed: bool,
    /// What engine hits take off power rolls.
    pub power_penalty: i32,
    /// What control hits take off bets.
    pub control_penalty: i32,
    /// What wounds take off every skill.
    pub wounds: i32,
}

impl Harm {
    /// No harm yet.
    #[must_use]
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
    #[must_use]
    pub fn fire_and_smoke_penalty(&self) -> i32 {
        match (self.burning, self.smoking) {
            (true, _) => 3,
            (false, true) => 1,
            (false, false) => 0,
        }
    }

    /// What wounds, smoke and fire take off every skill.
    #[must_use]
    pub fn skill_penalty(&self) -> i32 {
        self.wounds + self.fire_and_smoke_penalty()
    }
}

/// A critical hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Struck {
    /// The dice.
    pub roll: i32,
    /// What it does.
    pub effect: Critical,
    /// The engine roll, if one was made.
    pub engine_roll: Option<u8>,
    /// The roll for fire, if one was made.
    pub smoke_roll: Option<u8>,
    /// Whether the pilot is dead.
    pub pilot_killed: bool,
    /// Whether the aircraft is lost.
    pub destroyed: bool,
}

/// One critical hit on an aircraft. (Critical hits)
pub fn strike(tables: &Tables, harm: &mut Harm, who: &str, ask: &mut impl Ask) -> Asked<Struck> {
    let sum = ask.sum(2, D6, format_args!("critical hit on {who}"))?;
    let effect = tables.critical.read(ask, rule::CRITICAL_TABLE, 0, sum.total as i32);
    let mut engine_hit = false;
    match effect {
        Critical::EngineDestroyed => (harm.engine_destroyed, engine_hit) = (true, true),
        Critical::EngineHit2 => (harm.power_penalty, engine_hit) = (harm.power_penalty + 2, true),
        Critical::EngineHit1 => (harm.power_penalty, engine_hit) = (harm.power_penalty + 1, true),
        Critical::Control2 => harm.control_penalty += 2,
        Critical::Control1 => harm.control_penalty += 1,
        Critical::FillCurrent => harm.boxes.fill_current(),
        Critical::FillCurrentAndNext => {
            harm.boxes.fill_current();
            harm.boxes.fill_current();
        }
        Critical::Wounded1 => harm.wounds += 1,
        Critical::Wounded3 => harm.wounds += 3,
        Critical::PilotKilled => {}
    }
    ask.note(|| {
        let mut note = Note::new("critical", format!("{who}: {effect}."))
            .by(&[rule::CRITICAL_TABLE, rule::R_49])
            .dice(&sum.faces.0)
            .outcome(effect.word())
            .pieces([who]);
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
        let die = ask.roll(D6, format_args!("engine of {who}"))?;
        struck.engine_roll = Some(die);
        if tables.engine_roll.read(ask, rule::CRITICAL_TABLE, 0, i32::from(die)) == EngineRoll::Smokes {
            harm.smoking = true;
            ask.note(|| {
                Note::new("smoke", format!("{who} trails smoke."))
                    .by(&[rule::SMOKE_FIRE, rule::R_50])
                    .dice(&[die])
                    .pieces([who])
            });
            struck.smoke_roll = Some(smoke(tables, harm, who, ask)?);
        } else {
            ask.note(|| {
                Note::new("no-smoke", format!("The engine of {who} does not smoke."))
                    .detail()
                    .by(&[rule::SMOKE_FIRE])
                    .dice(&[die])
                    .pieces([who])
            });
        }
    }
    Ok(struck)
}

/// A smoking aircraft may catch fire. (Engine critical hits; R-50)
pub fn smoke(tables: &Tables, harm: &mut Harm, who: &str, ask: &mut impl Ask) -> Asked<u8> {
    let die = ask.roll(D6, format_args!("smoke of {who}"))?;
    if tables.smoke_roll.read(ask, rule::SMOKE_FIRE, 0, i32::from(die)) == SmokeRoll::Burns {
        harm.burning = true;
        ask.note(|| {
            Note::new("fire", format!("{who} is on fire."))
                .by(&[rule::SMOKE_FIRE, rule::R_50])
                .dice(&[die])
                .pieces([who])
        });
    } else {
        ask.note(|| {
            Note::new("no-fire", format!("{who} does not catch fire."))
                .detail()
                .by(&[rule::SMOKE_FIRE])
                .dice(&[die])
                .pieces([who])
        });
    }
    Ok(die)
}
