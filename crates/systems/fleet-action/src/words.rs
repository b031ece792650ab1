//! The words of the game, each a type with one spelling.

use flagplot_referee::words;

/// The two sides.
#[words]
pub enum SideName {
    A,
    B,
}

/// Who held the initiative before.
#[words]
pub enum Holder {
    None,
    A,
    B,
}

/// What a ship is, which decides the tables it is struck on.
#[words]
pub enum Kind {
    /// A fighting ship, armed merchant cruisers included.
    Warship,
    Carrier,
    Merchant,
    AirBase,
}

/// What has become of a ship.
#[words]
pub enum Status {
    Afloat,
    /// A burning hulk, still in the way.
    Wreck,
    Sunk,
    Exploded,
}

/// How guns are laid.
#[words]
pub enum Control {
    Directed,
    Local,
}

/// Where a hit comes from.
#[words]
pub enum Direction {
    Vertical,
    Horizontal,
    Underwater,
}

/// Where a hit above water comes from.
#[words]
pub enum AboveWater {
    Vertical,
    Horizontal,
}

impl From<AboveWater> for Direction {
    fn from(direction: AboveWater) -> Self {
        match direction {
            AboveWater::Vertical => Direction::Vertical,
            AboveWater::Horizontal => Direction::Horizontal,
        }
    }
}

/// Where a hit under water strikes.
#[words]
pub enum Column {
    Bow,
    Midships,
    Stern,
}

/// Where a mine strikes a ship, if it does.
#[words]
pub enum MineColumn {
    Bow,
    Midships,
    Stern,
    None,
}

impl From<Option<Column>> for MineColumn {
    fn from(column: Option<Column>) -> Self {
        match column {
            Some(Column::Bow) => MineColumn::Bow,
            Some(Column::Midships) => MineColumn::Midships,
            Some(Column::Stern) => MineColumn::Stern,
            None => MineColumn::None,
        }
    }
}

/// Where a torpedo or mine comes from.
#[words]
pub enum Approach {
    Beam,
    Bow,
    Stern,
    Mine,
}

/// The part of a target that a torpedo runs into.
#[words]
pub enum Aspect {
    Beam,
    Bow,
    Stern,
}

/// Where a point lies, seen from a ship.
#[words]
pub enum Arc {
    /// Within 30 degrees of the heading.
    Bow,
    Starboard,
    /// Within 30 degrees of dead astern.
    Stern,
    Port,
}

/// Where a mount stands, which decides where it bears.
#[words]
pub enum Station {
    Fwd,
    Aft,
    Mid,
    Port,
    Starboard,
    /// With a free field all around.
    All,
}

/// How a gun is mounted.
#[words]
pub enum Mounting {
    Open,
    Shielded,
    Casemate,
    Turret,
}

/// The make of any mount.
#[words]
pub enum Make {
    Open,
    Shielded,
    Casemate,
    Turret,
    Torpedo,
}

/// The only way to mount torpedo tubes.
#[words]
pub enum Tubes {
    Torpedo,
}

/// A group of weapons on the ship's sheet.
#[words]
pub enum Group {
    Main,
    Other,
    Torpedoes,
}

/// A group of guns on the ship's sheet.
#[words]
pub enum GunGroup {
    Main,
    Other,
}

/// A part of a ship that armour may protect.
#[words]
pub enum Area {
    Belt,
    ConningTower,
    Turret,
    Casemate,
    FlightDeck,
    None,
}

/// What strikes, which decides the direction.
#[words]
pub enum Strike {
    Gunfire,
    RakingGunfire,
    SkipBomb,
    SalvoRockets,
    /// A piloted bomb.
    Ohka,
    Bomb,
    /// A guided bomb.
    #[word("fx-1400")]
    Fx1400,
    /// A gliding bomb.
    #[word("hs-293")]
    Hs293,
    TinyTim,
    /// An aircraft, which may strike either way.
    Kamikaze,
}

/// What a ship carries.
#[words]
pub enum CargoKind {
    General,
    /// What burns.
    Fuel,
    Ammunition,
    Troops,
}

/// To which side a ship ran out of control.
#[words]
pub enum Sheer {
    None,
    Port,
    Starboard,
}

/// How torpedoes are aimed.
#[words]
pub enum Mode {
    Aimed,
    WideSpread,
}

/// Light guns that shoot at vessels.
#[words]
pub enum LightGuns {
    Crf,
    Mrf,
}

/// Anti-aircraft fire by its reach.
#[words]
pub enum Flak {
    Lrf,
    Mrf,
    Crf,
}

impl From<LightGuns> for Flak {
    fn from(guns: LightGuns) -> Self {
        match guns {
            LightGuns::Crf => Flak::Crf,
            LightGuns::Mrf => Flak::Mrf,
        }
    }
}

/// How well a target stands up to light guns.
#[words]
pub enum TargetClass {
    TypeX,
    /// Auxiliaries and merchants.
    A,
    /// Coastal and escort craft.
    C,
    Other,
}

/// The class of a ship for light guns, as rated.
#[words]
pub enum LightClass {
    /// Light guns cannot hurt her.
    None,
    A,
    C,
}

/// A type of attack by aircraft.
#[words]
pub enum AttackType {
    DiveBomber,
    SkipBomber,
    FighterBomber,
    /// Shallow dive.
    GlideBomber,
    TorpedoBomber,
    AircraftGuns,
    Ohka,
    #[word("fx-1400")]
    Fx1400,
    #[word("hs-293")]
    Hs293,
    Kamikaze,
    SalvoRockets,
    TinyTim,
    LowLevelBomber,
    MediumLevelBomber,
    HighLevelBomber,
}

/// Guns of aircraft against vessels.
#[words]
pub enum AirGuns {
    Strafing,
    AntiShipping,
}

/// What a stand can do in the air at this moment.
#[words]
pub enum Role {
    Fighter,
    /// A fighter-bomber with its load.
    LoadedFighterBomber,
    EmptyFighterBomber,
    Other,
}

/// How an air combat begins.
#[words]
pub enum Encounter {
    Intercept,
    Dogfight,
}

/// Light over the sea.
#[words]
pub enum Light {
    Day,
    Night,
}

/// The row of the table of 9.1 that applies.
#[words]
pub enum SightRow {
    Day,
    Night,
    BeyondOrObscured,
}

/// What 9.1 says of a weapon.
#[words]
pub enum Leave {
    Allowed,
    CrewTest,
    Forbidden,
}

/// What can be repaired at sea.
#[words]
pub enum RepairItem {
    Fc,
    Sv,
    Speed,
    Power,
    H,
}

/// How the fight against the fires went.
#[words]
pub enum FireFighting {
    None,
    Won,
    Lost,
}

/// What a Magazine Test says.
#[words]
pub enum MagazineOutcome {
    Explosion,
    Flashover,
    Safe,
}

/// What a Carrier Fuel Explosion Test says.
#[words]
pub enum FuelOutcome {
    Explosion,
    HangarFire,
    Safe,
}

/// How far a result on the weapons went.
#[words]
pub enum LossOutcome {
    Applied,
    StoppedByArmour,
    CannotBeApplied,
}

/// Why morale is tested.
#[words]
pub enum MoraleCause {
    StructureOneThird,
    StructureZero,
    FlotationOneThird,
    FlotationZero,
    HalfTheSquadron,
    OneThirdOfTheStand,
}

/// How thick a minefield is.
#[words]
pub enum Density {
    Light,
    Medium,
    Heavy,
}

impl Density {
    /// One step less; nothing is left of a light field.
    #[must_use]
    pub fn thinned(self) -> Option<Density> {
        match self {
            Density::Heavy => Some(Density::Medium),
            Density::Medium => Some(Density::Light),
            Density::Light => None,
        }
    }
}

/// How fast a hunter of submarines goes.
#[words]
pub enum HunterSpeed {
    /// At most 10 knots.
    Slow,
    /// At most 20 knots.
    Normal,
    Fast,
}

/// How deep a submarine is.
#[words]
pub enum Depth {
    Periscope,
    Deep,
}

/// The anti-aircraft quality of a battery.
#[words]
pub enum AntiAir {
    None,
    Aa,
    AaPlus,
}

/// The make of a bomb.
#[words]
pub enum BombCase {
    /// General purpose.
    Gp,
    /// Semi armour piercing.
    Sap,
    /// Armour piercing.
    Ap,
}

/// Depth charge gear.
#[words]
pub enum DepthCharges {
    Rails,
    Throwers,
    /// Weapons thrown ahead.
    Ahead,
}

/// How well an aircraft is protected.
#[words]
pub enum Protection {
    None,
    Partial,
    /// Armour and sealing tanks.
    Full,
}

/// What an aircraft is built as.
#[words]
pub enum AircraftRole {
    Fighter,
    /// A fighter that carries loads.
    FighterBomber,
    Bomber,
}

/// Type codes of ships.
#[words]
pub enum ShipType {
    #[word("BB")]
    Bb, // Battleship
    #[word("BC")]
    Bc, // Battlecruiser
    #[word("SD")]
    Sd, // Semi-dreadnought
    #[word("BBL")]
    Bbl, // Light battleship
    #[word("B")]
    B, // Old battleship
    #[word("BCD")]
    Bcd, // Coast defence battleship
    #[word("BBH")]
    Bbh, // Heavy battleship
    #[word("CV")]
    Cv, // Fleet carrier
    #[word("CVL")]
    Cvl, // Light carrier
    #[word("CVE")]
    Cve, // Escort carrier
    #[word("CVS")]
    Cvs, // Seaplane carrier
    #[word("AC")]
    Ac, // Armoured cruiser
    #[word("CA")]
    Ca, // Heavy cruiser
    #[word("C")]
    C, // Cruiser
    #[word("CL")]
    Cl, // Light cruiser
    #[word("CP")]
    Cp, // Protected cruiser
    #[word("CS")]
    Cs, // Scout cruiser
    #[word("CT")]
    Ct, // Torpedo cruiser
    #[word("CM")]
    Cm, // Minelaying cruiser
    #[word("CLAA")]
    Claa, // Anti-aircraft cruiser
    #[word("DD")]
    Dd, // Destroyer
    #[word("DDE")]
    Dde, // Destroyer escort
    #[word("TB")]
    Tb, // Torpedo boat
    #[word("DDT")]
    Ddt, // Destroyer transport
    #[word("PF")]
    Pf, // Frigate
    #[word("PG")]
    Pg, // Gunboat
    #[word("MS")]
    Ms, // Minesweeper
    #[word("MV")]
    Mv, // Merchant vessel
    #[word("AMC")]
    Amc, // Armed merchant cruiser
}
