//! Everything the game refuses, with its code, its rule and its sentence.
//!
//! The rules say no with a [`Barred`]; it becomes a sentence only for a reader, so that playouts format nothing.

use super::piece::{CardId, PieceId, SquadronId, Squads};
use crate::geometry::Lengths;
use crate::rule;
use flagplot_kernel::Refusal;
use std::fmt;

pub(super) type Legal = Result<(), Barred>;

/// A number with its noun: `1 hit`, `2 hits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub u8, pub &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.0, self.1, if self.0 == 1 { "" } else { "s" })
    }
}

macro_rules! refusals {
    ($($name:ident $({ $($field:ident: $type:ty),+ })? = $code:literal, $rule:ident, $text:literal;)*) => {
        /// Why the rules do not allow something.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Barred { $($name $({ $($field: $type),+ })?),* }

        impl From<Barred> for Refusal {
            #[cold]
            fn from(barred: Barred) -> Refusal {
                match barred {
                    $(Barred::$name $({ $($field),+ })? => Refusal::new($code, format!($text)).by(rule::$rule)),*
                }
            }
        }
    };
}

refusals! {
    // Set-up
    LayBoth = "wrong-state", SET_UP, "A hidden group has two cards, one of them a decoy. Lay both.";
    LayOne = "wrong-state", SET_UP, "A group that starts detected has no decoy. Lay one card.";
    OffHomeEdge = "out-of-sea-room", C_5, "A card starts on your home edge, inside the area of operations.";
    KamikazesStrike { who: Squads } = "cannot-re-arm", C_9, "Kamikaze pilots fly strikes only: {who}.";
    MustStartArmed = "wrong-state", SET_UP, "Every squadron must start armed in this scenario.";
    ArmAll { who: Squads } = "wrong-state", SET_UP, "Choose a role for each of {who}, and for no other squadron.";
    StartsOutside = "out-of-sea-room", C_5, "The squadron starts inside the area of operations.";
    WrongDistance { is: Lengths, wanted: Lengths } = "out-of-range", C_8,
        "It is {is} lengths from the card instead of {wanted}.";

    // Goes
    GameOver = "game-over", VICTORY, "The game is over.";
    NotYourGo = "not-your-turn", TURN_SEQUENCE, "It is not your go.";
    HasPassed = "already-passed", R_7, "You have passed this turn.";
    MustBringHome { id: SquadronId } = "must-bring-home", R_44,
        "You cannot pass: {id} is on RL 1 and must land or fly home first.";

    // Squadrons
    NotYours { id: SquadronId } = "not-yours", GROUPS, "{id} is not your squadron.";
    NotInTheAir { id: SquadronId } = "not-deployed", MOVE, "{id} is not in the air.";
    HasActed { id: SquadronId } = "already-acted", TURN_SEQUENCE, "{id} has already acted this turn.";
    NoneNamed = "not-deployed", MOVE, "Name at least one squadron.";
    NamedTwice = "duplicate-id", GROUPS, "A squadron is named twice.";
    LastFuel { id: SquadronId } = "fuel-low", R_73, "{id} is on RL 1 and can only land or fly home.";
    LastFuelNoStrike { id: SquadronId } = "fuel-low", R_46, "{id} is on RL 1 and can only land or fly home.";
    NotTouching = "not-touching", R_3, "These squadrons do not touch, so they are not one group.";
    IsDummy = "is-dummy", DUMMIES, "A dummy cannot attack, search, strike or intercept.";

    // Paths
    TooManyWaypoints { count: u8, most: usize } = "too-many-waypoints", MOVE,
        "The path has {count} waypoints. The maximum is {most}.";
    NoWaypoint = "path-too-long", MOVE, "Give the path at least one waypoint.";
    PathOutside = "out-of-sea-room", R_4, "The path leaves the sea room.";
    PathTooLong { is: Lengths, most: Lengths } = "path-too-long", MOVE,
        "The path is {is} lengths long. The maximum is {most}.";
    EndsOutside { id: SquadronId } = "out-of-sea-room", R_4, "{id} would end outside the sea room.";
    NoPath = "path-too-long", MOVE, "Give the path of the move.";
    PathTooEarly = "path-too-long", R_75,
        "You choose the path when you know the result of the search. Leave it out here.";
    FlyTogether = "not-touching", MOVE, "All squadrons of the group fly together here. Name all of them or none.";
    NotTakingPart = "not-deployed", R_27, "Only squadrons that still take part can fly on.";
    MeetsWhoGaveWay = "contact-forbidden", R_27,
        "This path meets a group that gave way in this action. Fly round it.";
    NotAtCard = "not-at-the-card", STRIKE, "The path of a strike must end at the carrier card.";
    LineOutside = "out-of-sea-room", R_4, "That line leaves the sea room.";

    // Searches
    SearcherStays { id: SquadronId } = "not-touching", DETECT, "{id} is not one of the squadrons that move.";
    SearcherStaysOut { id: SquadronId } = "not-touching", DETECT, "{id} is not one of the squadrons that attack.";
    OwnPiece { target: PieceId } = "already-detected", DETECT, "{target} is your own.";
    TargetDown { id: SquadronId } = "not-deployed", DETECT, "{id} is not in the air.";
    NotOnTable { card: CardId } = "not-deployed", DETECT, "{card} is not on the table.";
    NoTarget = "wrong-state", DETECT, "Name the target of the search.";
    TargetTooEarly = "wrong-state", DETECT, "You name the target when the move is over. Leave it out here.";
    SearchesAs { id: &'static str } = "not-deployed", R_18, "Choose your carrier group ('{id}') as the searcher.";
    HasSearched { by: PieceId } = "detect-used", R_17, "{by} has already searched this turn.";
    IsDetected { target: PieceId } = "already-detected", DETECT, "{target} is already detected.";
    TooFar { distance: Lengths, most: i64 } = "out-of-range", R_6,
        "The target is {distance} lengths away. The maximum is {most}.";

    // Contact and dogfights
    NotMet { met: Squads } = "not-deployed", INTERCEPT, "Name fighters of {met}.";
    NoFuelToIntercept { id: SquadronId } = "fuel-low", R_26, "{id} is on RL 1 and cannot intercept.";
    OnlyFightersIntercept = "not-fighters", INTERCEPT, "Only fighters can intercept.";
    GiveWayByThree = "not-exactly-3", R_42, "A group gives way by exactly 3 lengths.";
    ComesCloser = "evasion-too-close", R_70, "A group that gives way must not come closer.";
    OnlyFightersAttack = "not-fighters", ROLES, "Only fighters can attack in a dogfight.";
    OnlySquadronsAttacked = "not-detected", DOGFIGHT, "Only squadrons can be attacked in a dogfight.";
    GroupUndetected = "not-detected", R_58, "That group has not been detected.";
    BadMatch { first: Squads, second: Squads, combats: usize } = "bad-match", R_33,
        "Each of {first} must meet one of {second}, in {combats} combats.";
    BadJoin { surplus: Squads, firsts: Squads } = "bad-match", R_33,
        "Each of {surplus} must join a combat against one of {firsts}.";
    BadHits { hits: Count } = "bad-allocation", AIR_COMBAT,
        "Share out exactly {hits}, and no squadron can lose more than it has.";
    BreakOffByThree = "not-exactly-3", R_42, "Squadrons break off by exactly 3 lengths.";
    NotOneOf { id: SquadronId, squadrons: Squads } = "not-deployed", DOGFIGHT, "{id} is not one of {squadrons}.";
    MovesTooFar { id: SquadronId, most: Lengths } = "path-too-long", R_42, "{id} may move {most} lengths at most here.";
    NoMarkers = "bad-markers", PILOT_SKILL, "Gun crews and ordinary pilots play exactly 0 markers.";
    BadMarkers { due: Count } = "bad-markers", PILOT_SKILL, "These pilots play exactly {due}.";

    // Strikes
    NoOrdnance = "no-ordnance", R_11, "No squadron of this group carries ordnance.";
    OrdnanceSpent = "no-ordnance", R_14, "No squadron of this group carries ordnance.";
    CarriersUndetected { whose: &'static str } = "not-detected", STRIKE,
        "{whose}'s carrier group has not been detected.";
    HasAttacked { id: SquadronId } = "already-acted", R_14, "{id} has already attacked.";
    CannotAttack { id: SquadronId } = "no-ordnance", R_14, "{id} carries no ordnance, or is not part of this strike.";

    // Carriers
    CardOutside = "out-of-sea-room", R_4, "A card may not leave the sea room.";
    LeavesStation { most: Lengths } = "leaves-its-station", C_10,
        "The carriers stay within {most} lengths of their home edge.";
    CardsOverlap = "cards-overlap", R_61, "Two carrier cards may not overlap.";
    NoCardNamed = "wrong-state", MOVE_CV, "Say where a card goes.";
    NoSuchCard { card: CardId } = "not-deployed", MOVE_CV, "You have no {card}.";
    TooFast { moved: Lengths } = "too-fast", MOVE_CV,
        "A carrier group moves one card length at most, and this is {moved} lengths.";
    TooFastCrippled { moved: Lengths } = "too-fast", MOVE_CV,
        "A crippled carrier group moves one card width (0.7 lengths) at most, and this is {moved} lengths.";
    CarriersGone = "not-deployed", MOVE_CV, "Your carrier group is not on the map.";
    CarriersActed = "already-acted", TURN_SEQUENCE, "The carrier group has already acted this turn.";
    MoveTooEarly = "wrong-state", R_75,
        "You choose the move when you know the result of the search. Leave it out here.";
    NoMove = "wrong-state", MOVE_CV, "Say where the carriers move.";
    OnlySlipsAway = "wrong-state", R_23, "A group that slips away makes no other move and no search.";
    CannotSlipAway = "wrong-state", R_23,
        "A group slips away after contact with it was lost: before it moves, and with no enemy near.";
    NotFullSpeed { speed: Lengths } = "not-full-speed", R_23,
        "To slip away, both cards move at full speed, exactly {speed} lengths.";
    RidersUnsaid { riders: Squads } = "wrong-state", R_65, "Say which card each of {riders} goes with.";
    BoundToStation = "cannot-disengage", DISENGAGE, "The carrier group is bound to its station.";
    NotSlippedAway = "cannot-disengage", R_25,
        "The group must be detected and slip away before it can leave the battle.";
    LeaveLater = "cannot-disengage", R_25,
        "The group slipped away this turn. It can leave the battle from the next turn on.";
    Watched = "cannot-disengage", R_22, "An enemy squadron is within 6 lengths, or an enemy card within 3.";
    TooFarToBoard { id: SquadronId } = "out-of-range", R_57, "{id} is too far away to come aboard.";

    // Decks
    NotAboard { id: SquadronId } = "not-aboard", LAUNCH, "{id} is not aboard a carrier on the map.";
    MustRefuel { id: SquadronId } = "wrong-state", LAUNCH, "{id} has just landed and must refuel first.";
    ScoutRests { id: SquadronId } = "wrong-state", R_13, "{id} has just landed and must refuel first.";
    MustRefuelToArm { id: SquadronId } = "wrong-state", RE_ARM, "{id} has just landed and must refuel first.";
    ScoutDummy = "dummy-not-allowed", R_38, "Scouts cannot be dummies.";
    NoDummiesInSight = "dummy-not-allowed", DUMMIES, "A detected carrier group cannot launch dummies.";
    PointOutside = "out-of-sea-room", R_4, "The point is outside the sea room.";
    LaunchTooFar { distance: Lengths, most: i64 } = "out-of-range", R_5,
        "The point is {distance} lengths from the card. The maximum is {most}.";
    NowhereToLand = "not-deployed", LAND, "You have no carrier on the map to land on.";
    LandTooFar { distance: Lengths, most: i64 } = "out-of-range", R_5,
        "The card is {distance} lengths away. The maximum is {most}.";
    FlyHomeInstead { distance: Lengths, most: i64 } = "out-of-range", R_73,
        "The card is {distance} lengths away. The maximum is {most}: fly home instead.";
    NoRoom = "no-room", R_15, "The carriers have no room left.";
    ScoutsRefuel = "wrong-state", R_13, "Scouts refuel on their own.";
    IsRefuelled { id: SquadronId } = "wrong-state", REFUEL, "{id} is already refuelled.";
    ScoutsUnarmed = "cannot-re-arm", RE_ARM, "Scouts carry no weapons.";
    KamikazeFighters = "cannot-re-arm", KAMIKAZE, "Kamikaze pilots fly strikes only.";
    NotThatManyAboard { id: SquadronId } = "bad-allocation", R_15, "{id} does not have that many aircraft aboard.";
    ShedExactly { aircraft: u8, scouts: Count } = "bad-allocation", R_15,
        "Name exactly {aircraft} aircraft and {scouts}.";

    // Fuel
    HasFuel { id: SquadronId } = "wrong-state", R_73, "{id} still has fuel. Only a squadron on RL 1 flies home.";
    WhichCard { id: SquadronId } = "is-dummy", R_40, "{id} is a dummy. Say to which card it flies.";
    NoCardToFlyTo { card: CardId } = "not-deployed", FUEL, "You have no {card}.";
    OnlyDummiesChoose = "wrong-state", R_40,
        "A squadron flies home to its carrier. Only a dummy can fly to either card.";
}
