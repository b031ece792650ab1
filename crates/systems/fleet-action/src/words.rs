//! The words of the game, each a type with one spelling.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $word)] $variant,)* }

        impl $name {
            /// All of them in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];
            /// Their spellings in order.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The spelling.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }
    )*};
}

words! {
    /// The two sides.
    SideName {
        /// The first side.
        A = "a",
        /// The second side.
        B = "b",
    }
    /// Who held the initiative before.
    Holder {
        /// Nobody yet.
        None = "none",
        /// The first side.
        A = "a",
        /// The second side.
        B = "b",
    }
    /// What a ship is, which decides the tables it is struck on.
    Kind {
        /// A fighting ship, armed merchant cruisers included.
        Warship = "warship",
        /// A ship that flies aircraft.
        Carrier = "carrier",
        /// A trading vessel.
        Merchant = "merchant",
        /// An airfield on land.
        AirBase = "air-base",
    }
    /// What has become of a ship.
    Status {
        /// Still in the game.
        Afloat = "afloat",
        /// A burning hulk, still in the way.
        Wreck = "wreck",
        /// Gone.
        Sunk = "sunk",
        /// Blown up.
        Exploded = "exploded",
    }
    /// How guns are laid.
    Control {
        /// By the director.
        Directed = "directed",
        /// By each mount for itself.
        Local = "local",
    }
    /// Where a hit comes from.
    Direction {
        /// Against the side.
        Vertical = "vertical",
        /// Against the deck.
        Horizontal = "horizontal",
        /// Below the waterline.
        Underwater = "underwater",
    }
    /// Where a hit under water strikes.
    Column {
        /// The forward third.
        Bow = "bow",
        /// The middle.
        Midships = "midships",
        /// The after third.
        Stern = "stern",
    }
    /// Where a torpedo or mine comes from.
    Approach {
        /// Either side.
        Beam = "beam",
        /// The bow arc.
        Bow = "bow",
        /// The stern arc.
        Stern = "stern",
        /// A mine.
        Mine = "mine",
    }
    /// The part of a target that a torpedo runs into.
    Aspect {
        /// Either side.
        Beam = "beam",
        /// The bow arc.
        Bow = "bow",
        /// The stern arc.
        Stern = "stern",
    }
    /// Where a point lies, seen from a ship.
    Arc {
        /// Within 30 degrees of the heading.
        Bow = "bow",
        /// To the right.
        Starboard = "starboard",
        /// Within 30 degrees of dead astern.
        Stern = "stern",
        /// To the left.
        Port = "port",
    }
    /// Where a mount stands, which decides where it bears.
    Station {
        /// Forward.
        Fwd = "fwd",
        /// Aft.
        Aft = "aft",
        /// Amidships on the centre line.
        Mid = "mid",
        /// On the port side.
        Port = "port",
        /// On the starboard side.
        Starboard = "starboard",
        /// With a free field all around.
        All = "all",
    }
    /// How a gun is mounted.
    Mounting {
        /// In the open.
        Open = "open",
        /// Behind a shield.
        Shielded = "shielded",
        /// In the ship's side.
        Casemate = "casemate",
        /// In a turret.
        Turret = "turret",
    }
    /// The only way to mount torpedo tubes.
    Tubes {
        /// A torpedo mount.
        Torpedo = "torpedo",
    }
    /// A group of weapons on the ship's sheet.
    Group {
        /// The main battery.
        Main = "main",
        /// All other guns.
        Other = "other",
        /// Torpedo mounts.
        Torpedoes = "torpedoes",
    }
    /// A part of a ship that armour may protect.
    Area {
        /// Hull and machinery.
        Belt = "belt",
        /// Conning tower and directors.
        ConningTower = "conning-tower",
        /// A turret.
        Turret = "turret",
        /// A casemate.
        Casemate = "casemate",
        /// Hangar and flight deck.
        FlightDeck = "flight-deck",
        /// What is never protected.
        None = "none",
    }
    /// What strikes, which decides the direction.
    Strike {
        /// Shells against the side.
        Gunfire = "gunfire",
        /// Shells along the ship.
        RakingGunfire = "raking-gunfire",
        /// A bomb that skips into the side.
        SkipBomb = "skip-bomb",
        /// Rockets in salvo.
        SalvoRockets = "salvo-rockets",
        /// A piloted bomb.
        Ohka = "ohka",
        /// A falling bomb.
        Bomb = "bomb",
        /// A guided bomb.
        Fx1400 = "fx-1400",
        /// A gliding bomb.
        Hs293 = "hs-293",
        /// A heavy rocket.
        TinyTim = "tiny-tim",
        /// An aircraft, which may strike either way.
        Kamikaze = "kamikaze",
    }
    /// What a ship carries.
    CargoKind {
        /// Goods of no danger.
        General = "general",
        /// What burns.
        Fuel = "fuel",
        /// What explodes.
        Ammunition = "ammunition",
        /// Soldiers.
        Troops = "troops",
    }
    /// To which side a ship ran out of control.
    Sheer {
        /// She did not.
        None = "none",
        /// To the left.
        Port = "port",
        /// To the right.
        Starboard = "starboard",
    }
    /// How torpedoes are aimed.
    Mode {
        /// At a ship.
        Aimed = "aimed",
        /// Into an area.
        WideSpread = "wide-spread",
    }
    /// Light guns that shoot at vessels.
    LightGuns {
        /// Close range fire.
        Crf = "crf",
        /// Medium range fire.
        Mrf = "mrf",
    }
    /// Anti-aircraft fire by its reach.
    Flak {
        /// Long range fire of heavy guns.
        Lrf = "lrf",
        /// Medium range fire.
        Mrf = "mrf",
        /// Close range fire.
        Crf = "crf",
    }
    /// How well a target stands up to light guns.
    TargetClass {
        /// A stand of motor boats and the like.
        TypeX = "type-x",
        /// Auxiliaries and merchants.
        A = "a",
        /// Coastal and escort craft.
        C = "c",
        /// Everything else.
        Other = "other",
    }
    /// The class of a ship for light guns, as rated.
    LightClass {
        /// Light guns cannot hurt her.
        None = "none",
        /// Auxiliaries and merchants.
        A = "a",
        /// Coastal and escort craft.
        C = "c",
    }
    /// A type of attack by aircraft.
    AttackType {
        /// Steep dive.
        DiveBomber = "dive-bomber",
        /// Low, bombs skipping off the water.
        SkipBomber = "skip-bomber",
        /// Fighters with bombs.
        FighterBomber = "fighter-bomber",
        /// Shallow dive.
        GlideBomber = "glide-bomber",
        /// Torpedoes.
        TorpedoBomber = "torpedo-bomber",
        /// Guns only.
        AircraftGuns = "aircraft-guns",
        /// A piloted bomb.
        Ohka = "ohka",
        /// A guided bomb.
        Fx1400 = "fx-1400",
        /// A gliding bomb.
        Hs293 = "hs-293",
        /// The aircraft itself.
        Kamikaze = "kamikaze",
        /// Rockets in salvo.
        SalvoRockets = "salvo-rockets",
        /// A heavy rocket.
        TinyTim = "tiny-tim",
        /// Level flight, low.
        LowLevelBomber = "low-level-bomber",
        /// Level flight at middle height.
        MediumLevelBomber = "medium-level-bomber",
        /// Level flight, high.
        HighLevelBomber = "high-level-bomber",
    }
    /// Guns of aircraft against vessels.
    AirGuns {
        /// Machine guns and cannon of fighters.
        Strafing = "strafing",
        /// Guns made for ships.
        AntiShipping = "anti-shipping",
    }
    /// What a stand can do in the air at this moment.
    Role {
        /// A fighter.
        Fighter = "fighter",
        /// A fighter-bomber with its load.
        LoadedFighterBomber = "loaded-fighter-bomber",
        /// A fighter-bomber without load.
        EmptyFighterBomber = "empty-fighter-bomber",
        /// Any other aircraft.
        Other = "other",
    }
    /// How an air combat begins.
    Encounter {
        /// One stand falls upon another.
        Intercept = "intercept",
        /// Both turn on each other.
        Dogfight = "dogfight",
    }
    /// Light over the sea.
    Light {
        /// Day.
        Day = "day",
        /// Night.
        Night = "night",
    }
    /// The row of the table of 9.1 that applies.
    SightRow {
        /// In sight by day.
        Day = "day",
        /// In sight by night.
        Night = "night",
        /// Too far away, or hidden.
        BeyondOrObscured = "beyond-or-obscured",
    }
    /// What 9.1 says of a weapon.
    Leave {
        /// It may be used.
        Allowed = "allowed",
        /// After a Crew Test.
        CrewTest = "crew-test",
        /// It may not.
        Forbidden = "forbidden",
    }
    /// What can be repaired at sea.
    RepairItem {
        /// A director.
        Fc = "fc",
        /// The steering.
        Sv = "sv",
        /// The engines.
        Speed = "speed",
        /// Electric power.
        Power = "power",
        /// Aircraft handling.
        H = "h",
    }
    /// How the fight against the fires went.
    FireFighting {
        /// There was no fire.
        None = "none",
        /// Well.
        Won = "won",
        /// Badly.
        Lost = "lost",
    }
    /// What a Magazine Test says.
    MagazineOutcome {
        /// The ship blows up.
        Explosion = "explosion",
        /// Flames reach the hull.
        Flashover = "flashover",
        /// Nothing happens.
        Safe = "safe",
    }
    /// What a Carrier Fuel Explosion Test says.
    FuelOutcome {
        /// The ship blows up.
        Explosion = "explosion",
        /// The hangar burns.
        HangarFire = "hangar-fire",
        /// Nothing happens.
        Safe = "safe",
    }
    /// How far a result on the weapons went.
    LossOutcome {
        /// Something was lost.
        Applied = "applied",
        /// Armour held.
        StoppedByArmour = "stopped-by-armour",
        /// There was nothing it could buy.
        CannotBeApplied = "cannot-be-applied",
    }
    /// Why morale is tested.
    MoraleCause {
        /// Structure fell to a third or less.
        StructureOneThird = "structure-one-third",
        /// Structure fell to nothing.
        StructureZero = "structure-zero",
        /// Flotation fell to a third or less.
        FlotationOneThird = "flotation-one-third",
        /// Flotation fell to nothing.
        FlotationZero = "flotation-zero",
        /// The squadron lost a member and is at half or below.
        HalfTheSquadron = "half-the-squadron",
        /// The stand lost aircraft and is at a third or below.
        OneThirdOfTheStand = "one-third-of-the-stand",
    }
    /// How thick a minefield is.
    Density {
        /// Few mines.
        Light = "light",
        /// A common field.
        Medium = "medium",
        /// Many mines.
        Heavy = "heavy",
    }
    /// How fast a hunter of submarines goes.
    HunterSpeed {
        /// At most 10 knots.
        Slow = "slow",
        /// At most 20 knots.
        Normal = "normal",
        /// Above 20 knots.
        Fast = "fast",
    }
    /// How deep a submarine is.
    Depth {
        /// At periscope depth.
        Periscope = "periscope",
        /// Below it.
        Deep = "deep",
    }
    /// The anti-aircraft quality of a battery.
    AntiAir {
        /// None.
        None = "none",
        /// Can shoot at aircraft.
        Aa = "aa",
        /// Does so very well.
        AaPlus = "aa-plus",
    }
    /// The make of a bomb.
    BombCase {
        /// General purpose.
        Gp = "gp",
        /// Semi armour piercing.
        Sap = "sap",
        /// Armour piercing.
        Ap = "ap",
    }
    /// Depth charge gear.
    DepthCharges {
        /// Rails.
        Rails = "rails",
        /// Throwers.
        Throwers = "throwers",
        /// Weapons thrown ahead.
        Ahead = "ahead",
    }
    /// How well an aircraft is protected.
    Protection {
        /// Not at all.
        None = "none",
        /// In part.
        Partial = "partial",
        /// Armour and sealing tanks.
        Full = "full",
    }
    /// What an aircraft is built as.
    AircraftRole {
        /// A fighter.
        Fighter = "fighter",
        /// A fighter that carries loads.
        FighterBomber = "fighter-bomber",
        /// A bomber.
        Bomber = "bomber",
    }
    /// Type codes of ships.
    ShipType {
        /// Battleship.
        Bb = "BB",
        /// Battlecruiser.
        Bc = "BC",
        /// Semi-dreadnought.
        Sd = "SD",
        /// Light battleship.
        Bbl = "BBL",
        /// Old battleship.
        B = "B",
        /// Coast defence battleship.
        Bcd = "BCD",
        /// Heavy battleship.
        Bbh = "BBH",
        /// Fleet carrier.
        Cv = "CV",
        /// Light carrier.
        Cvl = "CVL",
        /// Escort carrier.
        Cve = "CVE",
        /// Seaplane carrier.
        Cvs = "CVS",
        /// Armoured cruiser.
        Ac = "AC",
        /// Heavy cruiser.
        Ca = "CA",
        /// Cruiser.
        C = "C",
        /// Light cruiser.
        Cl = "CL",
        /// Protected cruiser.
        Cp = "CP",
        /// Scout cruiser.
        Cs = "CS",
        /// Torpedo cruiser.
        Ct = "CT",
        /// Minelaying cruiser.
        Cm = "CM",
        /// Anti-aircraft cruiser.
        Claa = "CLAA",
        /// Destroyer.
        Dd = "DD",
        /// Destroyer escort.
        Dde = "DDE",
        /// Torpedo boat.
        Tb = "TB",
        /// Destroyer transport.
        Ddt = "DDT",
        /// Frigate.
        Pf = "PF",
        /// Gunboat.
        Pg = "PG",
        /// Minesweeper.
        Ms = "MS",
        /// Merchant vessel.
        Mv = "MV",
        /// Armed merchant cruiser.
        Amc = "AMC",
    }
}
