//! Figures of this machine, each beside something to compare it with in the same run.

use crate::Done;
use clap::{Args, ValueEnum};
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_kernel::{Ask, Asked, Chance, D6, Flow, Process, Tally, Volley};
use flagplot_odds::{Budget, Dist, Exact, Fast, Weight, distribution, enumerate};
use flagplot_referee::parse;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// `flagplot bench`
#[derive(Args)]
pub struct Bench {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Seconds spent on each figure, roughly
    #[arg(long, default_value_t = 1, value_name = "SECONDS")]
    time: u64,
    /// Computes one case of exact odds and prints nothing, for counting instructions (`speed/check`)
    #[arg(long, hide = true, value_name = "CASE")]
    only: Option<Case>,
    /// How often
    #[arg(long, hide = true, requires = "only", default_value_t = 1, value_name = "TIMES")]
    times: u32,
}

/// Exact odds that are measured by themselves.
#[derive(Clone, Copy, ValueEnum)]
enum Case {
    TwelveDice,
    TwoHundredDice,
    LabelledShips,
}

impl Case {
    fn compute(self) {
        match self {
            Case::TwelveDice => drop(volley(12)),
            Case::TwoHundredDice => drop(volley(200)),
            Case::LabelledShips => drop(labelled_ships::<Exact>()),
        }
    }
}

#[derive(Serialize)]
pub(crate) struct Figure {
    pub what: String,
    pub value: f64,
    pub unit: &'static str,
    pub beside: Option<(String, f64)>,
}

impl Bench {
    pub fn run(&self, catalog: &Catalog) -> Done {
        if let Some(case) = self.only {
            (0..self.times).for_each(|_| case.compute());
            return Ok(ExitCode::SUCCESS);
        }
        let mut figures = Vec::new();
        for (system, scenario) in [
            ("schiffskrieg", "midway-1942"),
            ("carrier-strike", "first-strike"),
            ("dogfite", "verdun-1916"),
            ("world-at-war", "bismarck-1941"),
            ("world-at-war", "coral-sea-1942"),
            ("world-at-war", "sedan-1940"),
            ("fleet-action", "river-plate"),
            ("fleet-action", "samar"),
        ] {
            if let Ok(game) = catalog.system(system).and_then(|system| system.game(scenario, &Value::Null)) {
                let (random, games) = self.playouts(game.as_ref(), PlayerKind::Random);
                let (greedy, greedy_games) = self.playouts(game.as_ref(), PlayerKind::Greedy);
                figures.push(Figure {
                    what: format!("random playouts of {scenario}, dice and choices on one core"),
                    value: random / 1e6,
                    unit: "M/s",
                    beside: Some(("greedy players".into(), greedy / 1e6)),
                });
                figures.push(Figure {
                    what: format!("one random playout of {scenario}"),
                    value: 1e6 / games,
                    unit: "µs",
                    beside: Some(("greedy players".into(), 1e6 / greedy_games)),
                });
            }
        }
        let twelve = self.time(|| Case::TwelveDice.compute());
        let walked = self.time(|| drop(die_by_die(12)));
        figures.push(Figure {
            what: "12 dice, fives, sixes rolled again for damage: exact".into(),
            value: twelve * 1e6,
            unit: "µs",
            beside: Some(("die by die with merging".into(), walked * 1e6)),
        });
        let many = self.time(|| Case::TwoHundredDice.compute());
        figures.push(Figure { what: "the same with 200 dice".into(), value: many * 1e3, unit: "ms", beside: None });
        let request = round_request().to_string();
        let round = self.time(|| {
            let answer =
                parse(request.as_bytes()).and_then(|request| catalog.adjudicate(request, || 0, Budget::default()));
            assert!(answer.is_ok(), "the round has odds");
        });
        figures.push(Figure {
            what: "a combat round of eight ships a side, every odds field".into(),
            value: round * 1e3,
            unit: "ms",
            beside: None,
        });
        let ships = self.time(|| Case::LabelledShips.compute());
        let fast = self.time(|| drop(labelled_ships::<Fast>()));
        figures.push(Figure {
            what: "three rounds of 4 against 4 labelled ships, joint, exact".into(),
            value: ships * 1e3,
            unit: "ms",
            beside: Some(("in floating point".into(), fast * 1e3)),
        });
        let tables = self.time(|| drop(distribution::<_, Exact>(&Overflow, Dist::certain((0, 0)), Budget::default())));
        figures.push(Figure {
            what: "three composed 2d6 tables with overflow rows".into(),
            value: tables * 1e3,
            unit: "ms",
            beside: None,
        });
        for (what, requests) in [
            ("an assault by every plan", assault_requests()),
            ("a strike through CAP and guns onto four ships", vec![strike_request()]),
        ] {
            figures.push(Figure {
                what: format!("{what}, every odds field"),
                value: self.odds(catalog, &requests) * 1e3,
                unit: "ms",
                beside: Some(("rolled a thousand times".into(), self.rolled(catalog, &requests, 1000) * 1e3)),
            });
        }
        figures.extend(self.fleet_action(catalog));
        if let Some(start) = self.start() {
            figures.push(Figure {
                what: "starting the program and answering one request".into(),
                value: start * 1e3,
                unit: "ms",
                beside: None,
            });
        }
        if self.json {
            println!("{}", json!({ "figures": figures }));
        } else {
            for figure in figures {
                let beside = figure
                    .beside
                    .map_or(String::new(), |(what, value)| format!("   ({what}: {value:.3} {})", figure.unit));
                println!("{:66} {:>12.3} {}{beside}", figure.what, figure.value, figure.unit);
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Dice and choices, and games, in a second.
    fn playouts(&self, game: &dyn flagplot_catalog::AnyGame, kind: PlayerKind) -> (f64, f64) {
        let players = vec![kind; game.seats().len()];
        let (mut answered, mut games) = (0, 0u64);
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(self.time) {
            answered += game.playout(&players, &mut Chance::stream(1, games)).answered;
            games += 1;
        }
        let seconds = start.elapsed().as_secs_f64();
        (answered as f64 / seconds, games as f64 / seconds)
    }

    /// Seconds for the exact odds of some requests, one after the other.
    pub(crate) fn odds(&self, catalog: &Catalog, requests: &[Value]) -> f64 {
        let texts: Vec<String> = requests
            .iter()
            .map(|request| {
                let mut request = request.clone();
                request["odds"] = Value::Bool(true);
                request.to_string()
            })
            .collect();
        self.time(|| {
            for text in &texts {
                let answer =
                    parse(text.as_bytes()).and_then(|request| catalog.adjudicate(request, || 0, Budget::default()));
                assert!(answer.is_ok(), "the request has odds");
            }
        })
    }

    /// Seconds to roll the same requests so often instead.
    fn rolled(&self, catalog: &Catalog, requests: &[Value], times: u64) -> f64 {
        let texts: Vec<String> = requests.iter().map(Value::to_string).collect();
        self.time(|| {
            for seed in 0..times {
                for text in &texts {
                    let answer = parse(text.as_bytes())
                        .and_then(|request| catalog.adjudicate(request, || seed, Budget::default()));
                    assert!(answer.is_ok(), "the request can be rolled");
                }
            }
        })
    }

    /// The mean seconds of a run.
    pub(crate) fn time(&self, mut run: impl FnMut()) -> f64 {
        run();
        let start = Instant::now();
        let mut runs = 0u32;
        while start.elapsed() < Duration::from_secs(self.time) || runs < 3 {
            run();
            runs += 1;
        }
        start.elapsed().as_secs_f64() / f64::from(runs)
    }

    /// Seconds to start this program for one request.
    fn start(&self) -> Option<f64> {
        let program = std::env::current_exe().ok()?;
        let request = round_request().to_string();
        Some(self.time(|| {
            let child = Command::new(&program).arg("adjudicate").stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
            if let Ok(mut child) = child {
                if let Some(mut input) = child.stdin.take() {
                    let _sent = input.write_all(request.as_bytes());
                }
                let _ended = child.wait();
            }
        }))
    }
}

fn class(face: u8) -> usize {
    match face {
        6 => 2,
        5 => 1,
        _ => 0,
    }
}

fn volley(dice: u32) -> Dist<(u32, u32)> {
    let tally = [Tally::Ignore, Tally::Any, Tally::Ignore];
    enumerate(Budget::default(), |ask| {
        let got = ask.volley(Volley { dice, die: D6, class, tally, scored: 2, points: D6 }, "attack")?;
        Ok((got.counts[1], got.points))
    })
    .expect("it is within the budget")
}

/// The same by one step for each die.
struct DieByDie(u32);

impl Process for DieByDie {
    type State = (u32, bool, u32);
    fn step(&self, (rolled, five, points): &mut Self::State, ask: &mut impl Ask) -> Asked<Flow> {
        match ask.roll_as(D6, "attack", class)?.read {
            2 => *points += u32::from(ask.roll(D6, "points")?),
            1 => *five = true,
            _ => {}
        }
        *rolled += 1;
        Ok(if *rolled == self.0 { Flow::Done } else { Flow::Continue })
    }
}

fn die_by_die(dice: u32) -> Dist<(u32, bool, u32)> {
    distribution(&DieByDie(dice), Dist::certain((0, false, 0)), Budget::default()).expect("it is within the budget")
}

/// Four ships a side, each sound, damaged or sunk, fire at their opposite number for three rounds. A step is a pair:
/// both fire, then both results take effect.
struct Line;

type Ships = ([u8; 4], [u8; 4], u8);

impl Line {
    const START: Ships = ([0; 4], [0; 4], 0);
}

impl Process for Line {
    type State = Ships;
    fn step(&self, (ours, theirs, step): &mut Ships, ask: &mut impl Ask) -> Asked<Flow> {
        let at = usize::from(*step % 4);
        if ours[at] < 2 && theirs[at] < 2 {
            let mut fire = |ship: u8| {
                Ok(ask.pool::<2>(3 - u32::from(ship), D6, "fire", |face| usize::from(face == 6))?.counts[1] as u8)
            };
            let (hits, hurt) = (fire(ours[at])?, fire(theirs[at])?);
            theirs[at] = (theirs[at] + hits).min(2);
            ours[at] = (ours[at] + hurt).min(2);
        }
        *step += 1;
        Ok(if *step == 12 { Flow::Done } else { Flow::Continue })
    }
}

fn labelled_ships<W: Weight>() -> Dist<Ships, W> {
    distribution(&Line, Dist::certain(Line::START), Budget::default()).expect("it is within the budget")
}

/// A table read with 2d6 whose last row calls for another roll, three times over.
struct Overflow;

impl Process for Overflow {
    type State = (u8, u16);
    fn step(&self, (table, total): &mut Self::State, ask: &mut impl Ask) -> Asked<Flow> {
        let roll = ask.sum(2, D6, "table")?.total as u16;
        *total += if roll >= 11 { 10 + ask.sum(2, D6, "overflow")?.total as u16 } else { roll / 2 };
        *table += 1;
        Ok(if *table == 3 { Flow::Done } else { Flow::Continue })
    }
}

/// Eight battleships a side by night, each at its opposite number.
fn round_request() -> Value {
    let units = |side: &str| -> Vec<Value> {
        (0..8)
            .map(|n| {
                json!({"id": format!("{side}{n}"), "kind": "battleship", "gunnery": 5, "torpedo": 0, "airstrike": 0,
                    "defense": 8, "damage": 4,
                    "damaged_side": {"gunnery": 2, "torpedo": 0, "airstrike": 0, "defense": 4}})
            })
            .collect()
    };
    let attacks = |own: &str, enemy: &str| -> Vec<Value> {
        (0..8)
            .map(|n| json!({"attacker": format!("{own}{n}"), "factor": "gunnery", "target": format!("{enemy}{n}")}))
            .collect()
    };
    json!({"system": "schiffskrieg", "procedure": "combat-round", "odds": true,
        "input": {"action": "night", "phasing": {"units": units("a")}, "non_phasing": {"units": units("b")},
        "attacks": {"phasing": attacks("a", "b"), "non_phasing": attacks("b", "a")}}})
}

/// Three counters with air support against two in a city with air of their own: to the end, down to each of three
/// columns, and for one round.
fn assault_requests() -> Vec<Value> {
    let unit = |id: &str, factors: u32| json!({"id": id, "factors": factors});
    let air = |id: &str, factors: u32| json!({"id": id, "factors": factors, "kind": "air"});
    let defender = |id: &str, factors: u32| json!({"id": id, "factors": factors, "dm": 3});
    let input = json!({
        "attackers": [unit("a1", 5), unit("a2", 5), unit("a3", 3), unit("a4", 3), air("a5", 6)],
        "defenders": [defender("d1", 3), defender("d2", 2), air("d3", 3)],
    });
    let plans = [
        ("max_rounds", json!(99)),
        ("break_off_below", json!("1:1")),
        ("break_off_below", json!("2:1")),
        ("break_off_below", json!("3:1")),
        ("max_rounds", json!(1)),
    ];
    plans
        .into_iter()
        .map(|(field, value)| {
            let mut input = input.clone();
            input[field] = value;
            json!({"system": "world-at-war", "procedure": "ground-assault", "input": input})
        })
        .collect()
}

/// Eighteen squadrons against two carriers, a battleship and their escorts.
fn strike_request() -> Value {
    let ship = |id: &str, squadrons: u32, kind: &str, size: u32| {
        json!({"id": id, "squadrons": squadrons, "ship": {"kind": kind, "nation": "united-states",
            "size": size}})
    };
    json!({"system": "world-at-war", "procedure": "air-strike", "input": {
        "attackers": [{"nation": "japan", "count": 18, "type": "naval-air", "elite": true}],
        "cap": [{"nation": "united-states", "count": 6, "type": "naval-air"}],
        "defenses": {"naval_factors": 24},
        "targets": [
            ship("cv1", 5, "cv", 3),
            ship("cv2", 5, "cv", 3),
            ship("bb1", 4, "capital-ship", 4),
            ship("ca1", 4, "cruiser", 2),
        ],
    }})
}
