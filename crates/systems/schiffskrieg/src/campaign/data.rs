//! Campaigns, read from TOML and checked.

use crate::data::{Bands, MOST_UNITS, OrderOfBattle};
use crate::formula::{Derived, Facts, derive};
use crate::game::title;
use crate::unit::{Id, Kind, Name, Sheet};
use flagplot_kernel::{BySide, DataError, Files, Side};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Campaign {
    pub id: String,
    pub title: String,
    pub span: String,
    pub brief: String,
    pub turns: Vec<String>,
    pub initiative: Vec<Side>,
    pub bands: Bands,
    pub factions: BySide<CampaignFaction>,
    pub zones: Vec<Zone>,
}

#[derive(Clone, Debug)]
pub struct CampaignFaction {
    pub id: String,
    pub port: String,
    /// The zone through which its Port is raided.
    pub port_approach: usize,
    pub delay_drm: i64,
    /// Its units, then its convoys.
    pub units: Vec<CampaignUnit>,
}

#[derive(Clone, Debug)]
pub struct CampaignUnit {
    pub sheet: Sheet,
    pub turn: u8,
    pub reach: Reach,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    Anywhere,
    Within(Vec<usize>),
    Bound(usize),
}

impl Reach {
    pub fn holds(&self, zone: usize) -> bool {
        match self {
            Reach::Anywhere => true,
            Reach::Within(zones) => zones.contains(&zone),
            Reach::Bound(destination) => *destination == zone,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Zone {
    pub id: Id,
    pub name: String,
    pub all_sea: bool,
    pub control: Option<Side>,
    pub vp: BySide<i64>,
    pub air_base: BySide<Option<u8>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCampaigns {
    campaign: Vec<RawCampaign>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCampaign {
    id: String,
    title: String,
    span: String,
    #[serde(default)]
    brief: String,
    turns: Vec<String>,
    initiative: Vec<String>,
    par: i64,
    draw_band: i64,
    decisive_band: i64,
    #[serde(default)]
    #[allow(dead_code, reason = "for the reader of the file")]
    par_note: Option<String>,
    faction: Vec<RawFaction>,
    zone: Vec<RawZone>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFaction {
    id: String,
    port: String,
    port_approach: String,
    delay_drm: i64,
    unit: Vec<RawUnit>,
    #[serde(default)]
    convoy: Vec<RawConvoy>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawUnit {
    id: Id,
    turn: u8,
    reach: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawConvoy {
    id: Id,
    turn: u8,
    ships: u32,
    destination: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawZone {
    id: Id,
    name: String,
    all_sea: bool,
    control: String,
    vp: BTreeMap<String, i64>,
    #[serde(default)]
    air_base: BTreeMap<String, u8>,
}

pub const MOST_ZONES: usize = 12;
pub const MOST_TURNS: usize = 24;

pub fn campaigns(files: &Files, order: &OrderOfBattle) -> Result<Vec<Campaign>, DataError> {
    const FILE: &str = "campaigns.toml";
    let raw: RawCampaigns = files.parse(FILE)?;
    let mut campaigns: Vec<Campaign> = Vec::new();
    for campaign in raw.campaign {
        let id = campaign.id.clone();
        let campaign =
            read(campaign, order).map_err(|message| DataError::new(FILE, format!("campaign '{id}': {message}")))?;
        if campaigns.iter().any(|other| other.id == id) {
            return Err(DataError::new(FILE, format!("the campaign '{id}' is listed twice")));
        }
        campaigns.push(campaign);
    }
    Ok(campaigns)
}

fn read(raw: RawCampaign, order: &OrderOfBattle) -> Result<Campaign, String> {
    let ids: Vec<String> = raw.faction.iter().map(|faction| faction.id.clone()).collect();
    let side = |name: &str| match ids.iter().position(|id| id == name) {
        Some(0) => Ok(Side::First),
        Some(_) => Ok(Side::Second),
        None => Err(format!("there is no faction '{name}'")),
    };
    if raw.turns.is_empty() || raw.turns.len() > MOST_TURNS || raw.initiative.len() != raw.turns.len() {
        return Err(format!("a campaign has 1 to {MOST_TURNS} turns, and as many entries of initiative"));
    }
    if raw.zone.is_empty() || raw.zone.len() > MOST_ZONES {
        return Err(format!("a campaign has 1 to {MOST_ZONES} zones"));
    }
    let bands = Bands { par: raw.par, draw_band: raw.draw_band, decisive_band: raw.decisive_band }.check()?;
    let mut zones: Vec<Zone> = Vec::new();
    for zone in raw.zone {
        if matches!(zone.id.as_str(), "port" | "raid" | "") || zones.iter().any(|other| other.id == zone.id) {
            return Err(format!("the zone '{}' needs a name of its own; 'port' and 'raid' are orders", zone.id));
        }
        let by_name = |name: &str| side(name).map_err(|why| format!("zone '{}': {why}", zone.id));
        let mut vp = BySide::default();
        for (name, points) in &zone.vp {
            vp[by_name(name)?] = *points;
        }
        let mut air_base = BySide::default();
        for (name, hexes) in &zone.air_base {
            air_base[by_name(name)?] = Some(*hexes);
        }
        let control = if zone.control == "none" { None } else { Some(by_name(&zone.control)?) };
        zones.push(Zone { id: zone.id, name: zone.name, all_sea: zone.all_sea, control, vp, air_base });
    }
    let initiative = raw.initiative.iter().map(|name| side(name)).collect::<Result<_, _>>()?;
    let turns = raw.turns.len();
    let [first, second]: [RawFaction; 2] = raw.faction.try_into().map_err(|_| "a campaign has two factions")?;
    let factions =
        BySide { first: faction(first, order, &zones, turns)?, second: faction(second, order, &zones, turns)? };
    if factions.first.id == factions.second.id {
        return Err("the two factions have the same id".into());
    }
    let ids = BySide::new_with(|side| factions[side].units.iter().map(|unit| unit.sheet.id).collect::<Vec<_>>());
    if let Some(id) = ids.first.iter().find(|id| ids.second.contains(id)) {
        return Err(format!("the unit '{id}' is on both sides"));
    }
    Ok(Campaign {
        id: raw.id,
        title: raw.title,
        span: raw.span,
        brief: raw.brief,
        turns: raw.turns,
        initiative,
        bands,
        factions,
        zones,
    })
}

fn faction(raw: RawFaction, order: &OrderOfBattle, zones: &[Zone], turns: usize) -> Result<CampaignFaction, String> {
    let zone = |name: &str| {
        let at = zones.iter().position(|zone| zone.id.as_str() == name);
        at.ok_or_else(|| format!("faction '{}': there is no zone '{name}'", raw.id))
    };
    let mut units: Vec<CampaignUnit> = Vec::new();
    for unit in &raw.unit {
        let sheet = order.with_facts(unit.id, &BTreeMap::new())?.sheet;
        let reach = match (&unit.reach, sheet.kind) {
            (Some(reach), Kind::Lba) => Reach::Within(reach.iter().map(|name| zone(name)).collect::<Result<_, _>>()?),
            (None, kind) if kind != Kind::Lba => Reach::Anywhere,
            _ => return Err(format!("unit '{}': an LBA, and only an LBA, has a reach", unit.id)),
        };
        units.push(CampaignUnit { sheet, turn: unit.turn, reach });
    }
    for convoy in &raw.convoy {
        let facts = Facts { ships: convoy.ships.min(100), ..Facts::default() };
        let Derived { front, damage, back, vp } = derive(Kind::Convoy, &facts);
        let name = Name::new(&title(convoy.id.as_str())).unwrap_or_default();
        let sheet = Sheet { id: convoy.id, name, kind: Kind::Convoy, front, damage, back, vp };
        if !(1..=100).contains(&convoy.ships) {
            return Err(format!("convoy '{}': it has 1 to 100 ships", convoy.id));
        }
        units.push(CampaignUnit { sheet, turn: convoy.turn, reach: Reach::Bound(zone(&convoy.destination)?) });
    }
    for (at, unit) in units.iter().enumerate() {
        if units[..at].iter().any(|other| other.sheet.id == unit.sheet.id) {
            return Err(format!("the unit '{}' is listed twice", unit.sheet.id));
        }
        if !(1..=turns).contains(&usize::from(unit.turn)) {
            return Err(format!("unit '{}': it arrives in turn 1 to {turns}", unit.sheet.id));
        }
    }
    if units.is_empty() || units.len() > MOST_UNITS || !(-5..=5).contains(&raw.delay_drm) {
        return Err(format!("the faction '{}' has 1 to {MOST_UNITS} units and a delay_drm of −5 to 5", raw.id));
    }
    let port_approach = zone(&raw.port_approach)?;
    Ok(CampaignFaction { id: raw.id, port: raw.port, port_approach, delay_drm: raw.delay_drm, units })
}
