//! Everything the rules refuse, with its code, its rule and its sentence.
//!
//! The rules say no with a [`Barred`]; it becomes a sentence only for a reader, so that playouts format nothing.

use crate::rule;
use crate::words::{Extent, Maneuver, Pip, Vertical};
use flagplot_kernel::Refusal;

macro_rules! refusals {
    ($($name:ident $({ $($field:ident: $type:ty),+ })? = $code:literal, $rule:expr, $text:literal;)*) => {
        /// Why the rules do not allow something.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Barred { $($name $({ $($field: $type),+ })?),* }

        impl From<Barred> for Refusal {
            #[cold]
            fn from(barred: Barred) -> Refusal {
                match barred { $(Barred::$name $({ $($field),+ })? => Refusal::new($code, format!($text)).by($rule)),* }
            }
        }
    };
}

refusals! {
    // Targets
    OwnTarget = "self-target", rule::TARGETING, "An aircraft cannot target itself. Choose another target.";
    TargetGone = "unknown-aircraft", rule::TARGETING, "The target is no longer in play. Choose another target.";
    SpinningHasTarget = "spinning-has-target", rule::R_58, "A spinning aircraft cannot have a target.";
    NoFormation = "bad-formation", rule::R_12,
        "An aircraft can only follow a friend on the same spot, and only while both fly under control.";
    NoLeader = "bad-formation", rule::R_12, "A formation needs a leader.";
    FriendWithoutFormation = "bad-formation", rule::R_12, "A friend can only be followed in formation.";
    FormationOnEnemy = "bad-formation", rule::R_12, "An aircraft cannot fly in formation on an enemy.";
    LeaderFollows = "bad-formation", rule::R_12, "The leader of a formation cannot follow another aircraft.";

    // The order of movement
    NoTargetToTail = "cannot-tail", rule::TAILING, "There is no enemy target to wait for.";
    TargetHasMoved = "cannot-tail", rule::R_64, "The target has already moved.";
    EdgeTooSmall = "cannot-tail", rule::R_13, "Initiative and edge together do not beat the target's initiative.";

    // Climbs and dives
    HalfMoveImpossible { extent: Extent, way: Vertical, speed: i32 } = "impossible-climb-dive", rule::R_19,
        "A {extent} {way} is not possible at speed {speed}.";
    FullMoveImpossible { extent: Extent, way: Vertical, speed: i32 } = "impossible-climb-dive", rule::R_20,
        "A {extent} {way} is not possible at speed {speed}.";
    ClimbTooDear { points: i32, speed: i32 } = "not-enough-speed", rule::CLIMB_DIVE,
        "The climb costs {points} points of speed; the aircraft has {speed}.";
    AboveCeiling { top_level: i32 } = "above-ceiling", rule::CLIMB_DIVE, "Level {top_level} is the highest level.";
    HalfWay = "already-pitched", rule::CLIMB_DIVE, "Finish the half climb or dive, or level off.";
    NotHalfWay = "impossible-climb-dive", rule::CLIMB_DIVE,
        "The aircraft is level: there is no climb or dive to finish or break off.";
    PointsWithoutClimb = "illegal-combination", rule::CLIMB_DIVE, "Only a climb or dive has speed points.";
    LevelingAndClimbing = "illegal-combination", rule::LEVELING,
        "An aircraft that levels off neither climbs nor dives.";

    // Steps
    BetOutOfRange = "out-of-range", rule::BET, "A bet has level 0 to 3 and 0 or more aerobatic points.";
    TurnOutOfRange = "impossible-maneuver", rule::STEPS, "A turn is 1 to 3 hexsides.";
    PointsLeft = "must-move", rule::STEPS, "Spend the remaining movement points first.";
    NoPointsLeft = "no-movement-points", rule::MOVEMENT_POINTS, "There are no movement points left.";
    LevelingDue = "already-pitched", rule::LEVELING, "Make the bet to level off first.";
    StepPossible = "must-move", rule::R_57,
        "Only an aircraft without movement points may bet without a step, and only once.";
    InMiddle = "wrong-spot", rule::STEPS, "From the middle, an aircraft leaves by an edge or stays.";
    NotInMiddle = "wrong-spot", rule::STEPS, "Only an aircraft in the middle can leave the middle.";
    StalledFliesStraight = "stalled", rule::R_37, "A stalled aircraft flies straight.";
    StalledMakesNoBet = "stalled", rule::R_37, "A stalled aircraft bets only to level off.";
    BetWhileLeaving = "pointless-bet", rule::R_67, "This step leaves the map: fly straight, without a bet.";

    // Bets
    ManeuverImpossible { maneuver: Maneuver, speed: i32 } = "impossible-maneuver", rule::BET_LEVEL,
        "{maneuver} is not possible at speed {speed}.";
    LevelTooHigh { maneuver: Maneuver, level: i32 } = "level-too-high", rule::LEVELING,
        "Levelling off with {maneuver} would be a bet of level {level}; 3 is the highest.";
    LevelTooLow { required: i32 } = "level-too-low", rule::BET, "Bet at least level {required}.";
    TurnLevelFixed = "level-not-yours", rule::BET, "The table sets the level of a turn.";
    LevelingLevelFixed = "level-not-yours", rule::BET, "A bet to level off cannot be raised.";
    OnlyStayRaised = "level-not-yours", rule::BET,
        "Only a stay in the hex can be raised, and not while levelling off.";
    BetOfNothing = "pointless-bet", rule::BET, "A bet of level 0 needs aerobatic points.";
    EmptyBet = "pointless-bet", rule::R_57, "Bet a level or aerobatic points.";
    TooManyPoints { most: i32 } = "too-many-points", rule::AEROBATICS,
        "At most {most} aerobatic points are allowed here.";
    FollowerAerobatics = "follower-aerobatics", rule::FORMATION, "A follower in formation spends no aerobatic points.";
    StepLost = "mp-lost", rule::R_17,
        "Aerobatics lower the movement die, and the rest does not pay for this step. Leave them out.";
    WrongCut { count: i32 } = "bad-cancel", rule::R_31, "Give up exactly {count} of the tasks of this manoeuvre.";

    // Spins
    AlreadySpinning = "already-spinning", rule::SPIN, "The aircraft is already spinning.";
    JustRecovered = "spin-tried", rule::R_65, "The aircraft has only just recovered from a spin.";
    SpinTried = "spin-tried", rule::R_65, "A pilot tries to spin only once in a move.";
    LevelBeforeSpin = "already-pitched", rule::SPIN, "Level off before you try to spin.";

    // The engine
    NoEngine = "engine-destroyed", rule::DRAG, "The engine is destroyed: roll for drag.";
    AtMaxSpeed { speed: i32, max_speed: i32 } = "at-max-speed", rule::R_41,
        "Power adds nothing at speed {speed}: the maximum is {max_speed}.";
    NoDrag = "no-drag", rule::R_40, "A recovering aircraft does not roll for drag.";

    // Combat
    CannotFire = "no-target", rule::R_58, "A spinning aircraft, or one that is out of play, cannot fire.";
    NothingToFireAt = "no-target", rule::FIRE, "The aircraft has no target to fire at.";
    FriendlyTarget = "no-target", rule::R_11, "The target is a friend.";
    NoEdge = "no-edge", rule::FIRE, "Fire needs an edge of at least 1.";
    NotFacing = "not-facing", rule::R_43, "The nose does not point at the target.";
    OutOfRange = "out-of-gun-range", rule::RANGE, "The target is out of range.";
    TooFar { half_hexes: i32 } = "out-of-gun-range", rule::RANGE,
        "{half_hexes} half hexes are out of range; guns reach 2.";
    NoPip { pip: Pip, skill: i32 } = "no-pip", rule::R_48,
        "To {pip} a pip takes a shooting skill of {skill} and dice that differ by one.";
    AlreadyBurning = "already-burning", rule::SMOKE_FIRE, "The aircraft is already burning.";
    NotSmoking = "not-smoking", rule::SMOKE_FIRE, "The aircraft is not smoking.";
}
