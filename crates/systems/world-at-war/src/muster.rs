//! The forces of a battle for a referee's table.

use crate::Rules;
use crate::air::AirType;
use crate::game::ground::kind_name;
use crate::game::naval::title;
use crate::nation::Nation;
use crate::scenarios::{AirScenario, GroundScenario, NavalScenario, Seat, Squadrons};
use crate::tabletop::{air, counted_as, light};
use flagplot_referee::LibraryItem;
use flagplot_referee::table::Object;
use serde_json::json;

/// The battles whose forces can be had: id and title.
pub(crate) fn titles(rules: &Rules) -> Vec<(String, String)> {
    let scenarios = &rules.scenarios;
    let naval = scenarios.naval.iter().map(|scenario| (scenario.id.clone(), scenario.name.clone()));
    let aerial = scenarios.air.iter().map(|scenario| (scenario.id.clone(), scenario.name.clone()));
    let ground = scenarios.ground.iter().map(|scenario| (scenario.id.clone(), scenario.name.clone()));
    naval.chain(aerial).chain(ground).collect()
}

/// The forces of a battle, and its sides.
pub(crate) fn muster(rules: &Rules, id: &str) -> Option<(Vec<Object>, [String; 2])> {
    let scenarios = &rules.scenarios;
    let naval = || scenarios.naval.iter().find(|known| known.id == id).map(|found| at_sea(rules, found));
    let aerial = || scenarios.air.iter().find(|known| known.id == id).map(in_the_air);
    let ground = || scenarios.ground.iter().find(|known| known.id == id).map(|found| on_land(rules, found));
    let objects = naval().or_else(aerial).or_else(ground)?;
    Some((objects, ["Axis".to_owned(), "Allies".to_owned()]))
}

fn on_side(item: LibraryItem, seat: Seat, group: &str) -> Object {
    Object { group: group.to_owned(), ..Object::new(item, seat.side().index() as u8) }
}

fn flying(nation: Nation, kind: AirType) -> String {
    format!("{} {}", nation.adjective(), counted_as(kind))
}

fn squadrons(one: &Squadrons, from: &str) -> LibraryItem {
    let mut item = air(one.nation, one.kind, one.count, one.elite);
    item.name = format!("{}, {from}", flying(one.nation, one.kind));
    item
}

fn at_sea(rules: &Rules, scenario: &NavalScenario) -> Vec<Object> {
    let mut objects = Vec::new();
    for group in &scenario.group {
        let name = title(&group.id);
        let named = group.ships.iter().filter_map(|id| rules.ship(id));
        objects.extend(named.map(|ship| on_side(crate::table::in_fleet(ship), group.seat, &name)));
        if group.cruisers + group.destroyers + group.cves + group.transports > 0 {
            let mut item = light(group.nation, group.cruisers, group.destroyers);
            item.name = format!("{} light ships, {name}", group.nation.adjective());
            item.value["cves"] = group.cves.into();
            item.value["transports"] = group.transports.into();
            objects.push(on_side(item, group.seat, &name));
        }
        if group.air > 0 {
            let own = Squadrons {
                nation: group.nation,
                kind: AirType::NavalAir,
                elite: group.elite,
                count: group.air,
                from_round: group.from_round,
            };
            objects.push(on_side(squadrons(&own, &name), group.seat, &name));
        }
        objects.extend(group.cover.iter().map(|cover| on_side(squadrons(cover, &name), group.seat, &name)));
    }
    for base in &scenario.base {
        let name = title(&base.id);
        objects.extend(base.air.iter().map(|one| on_side(squadrons(one, &name), base.seat, &name)));
    }
    objects
}

fn in_the_air(scenario: &AirScenario) -> Vec<Object> {
    let defender = Seat::of(scenario.attacker.side().other());
    let mut objects = Vec::new();
    for (seat, groups) in [(scenario.attacker, &scenario.attacker_groups), (defender, &scenario.defender_groups)] {
        objects.extend(groups.iter().map(|group| {
            let mut item = air(group.nation, group.kind, group.count, false);
            item.name = group.title();
            on_side(item, seat, "")
        }));
    }
    objects
}

fn on_land(rules: &Rules, scenario: &GroundScenario) -> Vec<Object> {
    let mut objects = Vec::new();
    for force in &scenario.forces {
        for (id, nation, kind, hex) in &force.units {
            let Some(values) = rules.units.of(*nation, *kind) else { continue };
            let plain = || format!("{} {} {id}", nation.adjective(), kind_name(*kind));
            let name = scenario.unit_names.get(id).cloned().unwrap_or_else(plain);
            let value = json!({"id": id, "factors": values.factors, "kind": kind, "nation": nation, "hex": hex});
            let item = LibraryItem { id: id.clone(), name, kind: "unit".to_owned(), value };
            objects.push(on_side(item, force.seat, ""));
        }
    }
    let flown = &scenario.air;
    for (seat, factors, nation) in
        [(Seat::Axis, flown.axis, flown.axis_nation), (Seat::Allies, flown.allies, flown.allies_nation)]
    {
        if let Some(nation) = nation.filter(|_| factors > 0) {
            let mut item = air(nation, AirType::ArmyAir, factors, false);
            item.name = flying(nation, AirType::ArmyAir);
            objects.push(on_side(item, seat, ""));
        }
    }
    objects
}
