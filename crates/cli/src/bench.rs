//! Figures of this machine, each beside something to compare it with in the same run.

use crate::Done;
use clap::Args;
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_kernel::{Ask, Asked, Chance, D6, Flow, Process, Tally, Volley};
use flagplot_odds::{Budget, Dist, Exact, Fast, distribution, enumerate};
use flagplot_referee::parse;
use serde::Serialize;
use serde_json::json;
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// `flagplot bench`
#[derive(Args)]
pub struct Bench {
    /// As JSON
    #[arg(long)]
    json: bool,
    /// Seconds spent on each figure, roughly
    #[arg(long, default_value_t = 1, value_name = "SECONDS")]
    time: u64,
}

#[derive(Serialize)]
struct Figure {
    what: String,
    value: f64,
    unit: &'static str,
    beside: Option<(String, f64)>,
}

impl Bench {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let mut figures = Vec::new();
        for (system, scenario) in
            [("schiffskrieg", "midway-1942"), ("carrier-strike", "first-strike"), ("dogfite", "verdun-1916")]
        {
            if let Ok(game) = catalog.system(system).and_then(|system| system.game(scenario, &serde_json::Value::Null))
            {
                let (random, games) = self.playouts(game.as_ref(), PlayerKind::Random);
                let (greedy, _) = self.playouts(game.as_ref(), PlayerKind::Greedy);
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
                    beside: None,
                });
            }
        }
        let twelve = self.time(|| drop(volley(12)));
        let walked = self.time(|| drop(die_by_die(12)));
        figures.push(Figure {
            what: "12 dice, fives, sixes rolled again for damage: exact".into(),
            value: twelve * 1e6,
            unit: "µs",
            beside: Some(("die by die with merging".into(), walked * 1e6)),
        });
        let many = self.time(|| drop(volley(200)));
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
        let ships = self.time(|| drop(distribution::<_, Exact>(&Line, Dist::certain(Line::START), Budget::default())));
        let fast = self.time(|| drop(distribution::<_, Fast>(&Line, Dist::certain(Line::START), Budget::default())));
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

    /// The mean seconds of a run.
    fn time(&self, mut run: impl FnMut()) -> f64 {
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

/// Four ships a side, each sound, damaged or sunk, fire at their opposite number for three rounds. A step is a pair: both fire, then both
/// results take effect.
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
fn round_request() -> serde_json::Value {
    let units = |side: &str| -> Vec<serde_json::Value> {
        (0..8)
            .map(|n| {
                json!({"id": format!("{side}{n}"), "kind": "battleship", "gunnery": 5, "torpedo": 0, "airstrike": 0, "defense": 8, "damage": 4,
                    "damaged_side": {"gunnery": 2, "torpedo": 0, "airstrike": 0, "defense": 4}})
            })
            .collect()
    };
    let attacks = |own: &str, enemy: &str| -> Vec<serde_json::Value> {
        (0..8)
            .map(|n| json!({"attacker": format!("{own}{n}"), "factor": "gunnery", "target": format!("{enemy}{n}")}))
            .collect()
    };
    json!({"system": "schiffskrieg", "procedure": "combat-round", "odds": true, "input": {"action": "night", "phasing": {"units": units("a")}, "non_phasing": {"units": units("b")},
        "attacks": {"phasing": attacks("a", "b"), "non_phasing": attacks("b", "a")}}})
}
