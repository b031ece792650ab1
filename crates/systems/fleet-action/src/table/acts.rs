//! What can be done at a table, in the order of play.

use flagplot_referee::table::{Act, Count, Keep, Phase, Reading, Role, Unit};
use flagplot_referee::{bool, int};
use serde_json::json;

/// One millimetre on the table is 20 yards at sea. [C-1]
pub(super) const YARDS_PER_MM: i64 = 20;
/// 25 mm are 500 yards, 457.2 metres: 2500 mm are 45720 metres.
const METRES: Unit = Unit { name: "m", these: 45_720, those: 2500 };
const YARDS: Unit = Unit { name: "yd", these: 20, those: 1 };
/// A knot is a centimetre a turn.
const SEA: &[Unit] = &[METRES, YARDS];

pub(crate) fn phases() -> Vec<Phase> {
    vec![
        Phase::new("initiative", "Initiative", "Both sides roll; the winner chooses which side moves first."),
        Phase::new("movement", "Movement", "Squadrons move in turn. The map, or two positions, tell range and arcs."),
        Phase::new("gunnery", "Gunnery", "Squadrons fire in turn, the side with the initiative first."),
        Phase::new("torpedoes", "Torpedoes", "Torpedoes are launched and run."),
        Phase::new("air", "Air", "Aircraft fight, are shot at and attack."),
        Phase::new("damage-control", "Damage control", "Teams fight fires and repair."),
        Phase::new("fires", "Fires", "Fires burn, and reach aircraft that are being armed."),
        Phase::new("morale", "Morale", "Ships, squadrons and stands that suffered are tested; shaken ships rally."),
        Phase::new("end", "End of turn", "Splash and flak markers go."),
    ]
}

const SHIPS: &[&str] = &["ship"];
const STANDS: &[&str] = &["stand"];

fn ship(path: &'static str) -> Role {
    Role::new("ship", "Ship", path, SHIPS).acts()
}

fn hit_ship() -> Role {
    Role::new("ship", "Ship that is hit", "ship", SHIPS)
}

fn target(path: &'static str, kinds: &[&'static str]) -> Role {
    Role::new("target", "Target", path, kinds)
}

fn speeds() -> Vec<(serde_json::Value, &'static str)> {
    vec![(json!(20), "under way"), (json!(10), "slow"), (json!(0), "stopped")]
}

/// The circumstances of sight, which the table of 9.1 reads before anything is fired.
fn by_sight(act: Act) -> Act {
    act.extra("night", "Night", bool(), false)
        .kept(Keep::Table)
        .extra("obscured", "Smoke, weather or land between", bool(), false)
        .kept(Keep::Cast)
        .extra("illuminated", "Target is lit", bool(), false)
        .extra("tvr", "Visibility in range bands", int(0, 9), 5)
        .kept(Keep::Table)
}

/// A battery fires at a ship: who, at whom, how far, with how many guns and by what control.
fn battery_fires(act: Act) -> Act {
    act.listed("gunnery", "Guns", "guns")
        .role(Role::new("shooter", "Shooter", "shooter", SHIPS).part("Battery").acts())
        .role(target("ship", SHIPS))
        .fact("range_mm", "Range")
        .needed()
        .units(SEA)
        .fact("guns", "Guns that fire")
        .fact("control", "Control")
}

fn fire() -> Vec<Act> {
    let salvo = battery_fires(Act::new("salvo", "gunnery-salvo", "Fire guns", "Fire"))
        .choices(vec![(json!("directed"), "directed"), (json!("local"), "local")])
        .fact("target.speed", "Target's speed")
        .choices(speeds())
        .fact("raking", "Raking: along the target's length")
        .fact("intervening_bases", "Ships in between")
        .counted()
        .fact("shooter.splash", "Splashes on the shooter")
        .counted()
        .fact("ship.splash", "Splashes on the target")
        .counted()
        .fact("radar_bonus", "Gunnery radar helps")
        .fact("gun.calibre_mm", "Calibre of the guns")
        .needed()
        .hide(&["range_band", "max_band", "shooter.amc", "shooter.fc", "ship", "gun.ip", "gun.cv", "gun.pen"])
        .headline("hit", "hit", Reading::Is("true"))
        .headline("damage", "damage", Reading::Mean)
        .headline("critical", "criticals", Reading::AtLeast(1));
    let to_hit = battery_fires(Act::new("to-hit", "gunnery-to-hit", "Fire guns, hit only", "Fire"))
        .fact("target.speed", "Target's speed")
        .choices(speeds())
        .fact("intervening_bases", "Ships in between")
        .counted()
        .fact("shooter.splash", "Splashes on the shooter")
        .counted()
        .fact("target.splash", "Splashes on the target")
        .counted()
        .hide(&["range_band", "max_band", "shooter.amc", "shooter.fc"])
        .headline("hit", "hit", Reading::Is("true"));
    let light = Act::new("light-guns", "crf-mrf-fire", "Fire light guns", "Fire")
        .listed("gunnery", "Guns", "light-guns")
        .role(Role::new("shooter", "Shooter", "shooter", &["ship", "small craft"]).acts())
        .role(target("target", &["ship", "small craft"]))
        .fact("weapon", "Guns")
        .needed()
        .fact("range_mm", "Range")
        .needed()
        .units(SEA)
        .headline("hits", "hits", Reading::Mean)
        .headline("structure", "structure_lost", Reading::Mean);
    let boats = Act::new("boats", "type-x-gunnery", "Fire guns at small craft", "Fire")
        .listed("gunnery", "Guns", "guns")
        .role(Role::new("shooter", "Shooter", "shooter", SHIPS).part("Battery").acts())
        .role(target("target", &["small craft"]))
        .fact("range_mm", "Range")
        .needed()
        .units(SEA)
        .fact("guns", "Guns that fire")
        .hide(&["range_band"])
        .headline("hit", "hit", Reading::Is("true"));
    let torpedoes = Act::new("torpedoes", "torpedo-attack", "Launch torpedoes", "Launch")
        .listed("torpedoes", "Torpedoes", "torpedo")
        .role(
            Role::new("shooter", "Launcher", "shooter", &["ship", "submarine", "small craft"])
                .part("Speed setting")
                .acts(),
        )
        .role(target("target", SHIPS))
        .fact("range_mm", "Range")
        .needed()
        .units(SEA)
        .fact("torpedoes", "Torpedoes")
        .fact("target.arc", "They run into the target's")
        .fact("mode", "Aim")
        .fact("target.speed", "Target's speed")
        .choices(speeds())
        .fact("shooter.splash", "Splashes on the launcher")
        .counted()
        .hide(&["range_band"])
        .headline("hits", "hits", Reading::Mean)
        .headline("any hit", "hits", Reading::AtLeast(1));
    [salvo, to_hit, light, boats, torpedoes].map(by_sight).to_vec()
}

fn in_the_air() -> Vec<Act> {
    vec![
        Act::new("dogfight", "air-combat", "Air combat", "Fight")
            .listed("air", "Air", "aircraft")
            .role(Role::new("attacker", "Attackers", "attacker", STANDS).acts())
            .role(Role::new("defender", "Defenders", "defender", STANDS))
            .fact("mode", "How it begins")
            .headline("shot down", "attacker.kills", Reading::Mean)
            .headline("lost", "defender.kills", Reading::Mean),
        Act::new("flak", "aa-fire", "Fire at aircraft", "Fire")
            .listed("air", "Air", "flak")
            .role(Role::new("shooter", "Ship", "", SHIPS).acts())
            .role(target("target", STANDS))
            .fact("weapon", "Guns")
            .needed()
            .fact("range_mm", "Range")
            .needed()
            .units(SEA)
            .fact("splash", "Splashes on the ship")
            .counted()
            .fact("target.flak", "Flak on the aircraft")
            .counted()
            .fact("dpaa_radar", "Gunnery radar helps")
            .headline("shot down", "aircraft_lost", Reading::Mean),
        Act::new("air-attack", "air-attack-on-ship", "Attack a ship from the air", "Attack")
            .listed("air", "Air", "bomb")
            .role(Role::new("stand", "Aircraft", "stand", STANDS).part("Load").acts())
            .role(target("target", SHIPS))
            .fact("target.speed", "Target's speed")
            .choices(speeds())
            .fact("target.splash", "Splashes on the target")
            .counted()
            .fact("flak", "Flak on the attackers")
            .counted()
            .headline("hits", "hits", Reading::Mean)
            .headline("any hit", "hits", Reading::AtLeast(1)),
        Act::new("strafe", "air-gun-attack", "Strafe", "Strafe")
            .listed("air", "Air", "aircraft")
            .role(Role::new("stand", "Aircraft", "stand", STANDS).acts())
            .role(target("target", &["ship", "small craft"]))
            .fact("guns", "Guns")
            .needed()
            .fact("target.splash", "Splashes on the target")
            .counted()
            .fact("flak", "Flak on the attackers")
            .counted()
            .headline("structure", "structure_lost", Reading::Mean),
    ]
}

fn harm() -> Vec<Act> {
    let test = |id, procedure, title| {
        Act::new(id, procedure, title, "Test").listed("gunnery", "Hits and damage", "damage").role(ship(""))
    };
    vec![
        Act::new("hit", "resolve-hit", "Resolve a hit", "Resolve")
            .listed("gunnery", "Hits and damage", "damage")
            .role(hit_ship())
            .fact("weapon.ip", "Damage points")
            .fact("weapon.cv", "Critical value")
            .fact("weapon.pen", "Penetration")
            .fact("direction", "Direction")
            .headline("damage", "damage", Reading::Mean)
            .headline("critical", "criticals", Reading::AtLeast(1)),
        Act::new("location", "underwater-location", "Where a torpedo strikes", "Roll")
            .listed("torpedoes", "Torpedoes", "torpedo")
            .role(hit_ship().count(Count::Optional)),
        Act::new("structural", "structural-critical", "Critical above water", "Roll")
            .listed("gunnery", "Hits and damage", "damage")
            .role(hit_ship()),
        Act::new("carrier", "carrier-critical", "Critical on a carrier", "Roll")
            .listed("gunnery", "Hits and damage", "damage")
            .role(hit_ship()),
        Act::new("underwater", "underwater-critical", "Critical under water", "Roll")
            .listed("gunnery", "Hits and damage", "damage")
            .role(hit_ship()),
        Act::new("collateral", "collateral-damage", "Explosion among ships", "Roll")
            .listed("gunnery", "Hits and damage", "explosion")
            .role(Role::new("ships", "Ships near the explosion", "ships", SHIPS).count(Count::Many))
            .fact("explosion_dice", "Dice of the explosion"),
        Act::new("weapons", "weapon-loss", "Which weapons are lost", "Roll")
            .listed("gunnery", "Hits and damage", "damage")
            .role(hit_ship())
            .fact("group", "Weapons struck")
            .needed(),
        Act::new("armour", "armour-protection", "Does the armour hold?", "Look")
            .listed("gunnery", "Hits and damage", "damage")
            .role(hit_ship()),
        test("wreck", "wreck-test", "Wreck test"),
        test("magazine", "magazine-test", "Magazine test"),
        test("fuel", "fuel-explosion-test", "Fuel test").hide(&["rearming", "poor_carrier_safety"]),
        test("crew", "crew-test", "Crew test"),
        Act::new("fire", "fire-test", "Fire test", "Test")
            .listed("gunnery", "Hits and damage", "fire")
            .role(hit_ship().count(Count::Optional)),
    ]
}

fn at_the_end() -> Vec<Act> {
    vec![
        Act::new("damage-control", "damage-control", "Damage control", "Send the teams")
            .listed("damage-control", "End of turn", "damage-control")
            .role(ship(""))
            .fact("teams_on_fires", "Teams on the fires")
            .fact("repairs", "Repairs")
            .headline("fires left", "fires", Reading::Mean),
        Act::new("burn", "fire-burn", "Fires burn", "Burn").listed("fires", "End of turn", "fire").role(ship("ship")),
        Act::new("ship-morale", "ship-morale", "Morale of a ship", "Test")
            .listed("morale", "End of turn", "morale")
            .role(ship(""))
            .headline("holds", "failures", Reading::Is("0")),
        Act::new("squadron-morale", "squadron-morale", "Morale of a squadron", "Test")
            .listed("morale", "End of turn", "morale")
            .role(Role::new("ships", "Ships of the squadron", "ships", SHIPS).count(Count::Any).acts())
            .headline("holds", "failures", Reading::Is("0")),
        Act::new("stand-morale", "aircraft-morale", "Morale of aircraft", "Test")
            .listed("morale", "End of turn", "morale")
            .role(Role::new("stand", "Aircraft", "", STANDS).acts())
            .headline("holds", "failures", Reading::Is("0")),
        Act::new("rally", "crew-test", "Rally a shaken crew", "Rally")
            .listed("morale", "End of turn", "morale")
            .role(ship(""))
            .headline("rallies", "passed", Reading::Is("true")),
    ]
}

pub(crate) fn acts() -> Vec<Act> {
    let mut acts = vec![
        Act::new("initiative", "initiative", "Roll for the initiative", "Roll")
            .listed("initiative", "Order of play", "initiative")
            .fact("a_total", "Command total of the first side")
            .fact("b_total", "Command total of the second side")
            .fact("holder", "Had the initiative before"),
        Act::new("command", "initiative-modifier", "What a command total adds", "Look").listed(
            "initiative",
            "Order of play",
            "initiative",
        ),
        Act::new("move", "movement", "Move a ship", "Move")
            .listed("movement", "Movement and sight", "movement")
            .role(ship("ship"))
            .fact("speed", "Speed")
            .fact("orders", "Orders")
            .fact("ship.last_speed", "Speed last turn"),
        Act::new("geometry", "geometry", "Measure range and arcs", "Measure")
            .listed("movement", "Movement and sight", "map")
            .role(Role::new("shooter", "From", "shooter", SHIPS))
            .role(Role::new("target", "To", "target", SHIPS))
            .hide(&["shooter.mounts", "others"]),
        Act::new("collide", "collision", "Collision", "Roll")
            .listed("movement", "Movement and sight", "movement")
            .role(Role::new("moving", "Ship that moves", "moving", SHIPS).acts())
            .role(Role::new("other", "Other ship", "other", SHIPS)),
        Act::new("sight", "visibility", "May she fire?", "Look")
            .listed("movement", "Movement and sight", "sight")
            .role(ship(""))
            .fact("range_mm", "Range")
            .needed()
            .units(SEA)
            .fact("light", "Light")
            .fact("tvr", "Visibility in range bands")
            .hide(&["range_band"]),
        Act::new("spot", "spotting", "Spot a contact", "Spot")
            .listed("movement", "Movement and sight", "sight")
            .role(ship(""))
            .fact("range_mm", "Range")
            .units(SEA)
            .headline("spotted", "spotted", Reading::Is("true")),
    ];
    acts.extend(fire());
    acts.extend(in_the_air());
    acts.extend(harm());
    acts.extend(at_the_end());
    acts.extend([
        Act::new("mines", "mine-transit", "Enter a minefield", "Enter")
            .listed("movement", "Mines and submarines", "mine")
            .role(ship(""))
            .headline("strike", "strike", Reading::Is("true")),
        Act::new("sonar", "submarine-detection", "Hunt with sonar", "Listen")
            .listed("torpedoes", "Mines and submarines", "submarine")
            .role(Role::new("hunter", "Hunter", "", SHIPS).acts())
            .role(Role::new("submarine", "Submarine", "submarine", &["submarine"]))
            .fact("range_mm", "Range")
            .units(SEA)
            .headline("found", "detected", Reading::Is("true")),
        Act::new("depth-charges", "asw-attack", "Drop depth charges", "Drop")
            .listed("torpedoes", "Mines and submarines", "submarine")
            .role(Role::new("hunter", "Hunter", "", SHIPS).acts())
            .role(Role::new("submarine", "Submarine", "submarine", &["submarine"]))
            .headline("hits", "hits", Reading::Mean)
            .headline("sunk", "sunk", Reading::Is("true")),
    ]);
    let derive = |id, procedure, title| Act::new(id, procedure, title, "Derive").listed("end", "Workshop", "workshop");
    acts.extend([
        derive("derive-gun", "derive-gun", "Ratings of a gun"),
        derive("derive-torpedo", "derive-torpedo", "Ratings of a torpedo"),
        derive("derive-bomb", "derive-bomb", "Ratings of a bomb"),
        derive("derive-ship", "derive-ship", "Ratings of a ship"),
        derive("derive-aircraft", "derive-aircraft", "Ratings of an aircraft"),
    ]);
    acts
}
