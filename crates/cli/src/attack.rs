//! `flagplot attack`: floods a server on this machine while honest games go on, and reports what they noticed.

mod flood;
mod http;

use crate::Done;
use clap::Args;
use flagplot_catalog::Catalog;
use flagplot_kernel::Refusal;
use flood::Flood;
use http::Client;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How many honest games go on.
const GAMES: u8 = 20;
/// What they play: a battle long enough that their own allowance of new games lasts.
const BATTLE: (&str, &str) = ("schiffskrieg", "ironbottom-1942");
/// The first of the groups of addresses that attackers and honest players come from.
const ATTACKERS: u8 = 2;
const PLAYERS: u8 = 100;
/// How long a player thinks between two answers.
const PAUSE: Duration = Duration::from_millis(200);

/// `flagplot attack`
#[derive(Args)]
#[command(after_help = "Start a server of its own for this: the floods leave games and accounts behind.\n\n\
    Example:\n  flagplot serve --listen 127.0.0.1:7171 --database /tmp/attacked.sqlite &\n  \
    flagplot attack http://127.0.0.1:7171")]
pub struct Attack {
    /// The server; it must be on this machine
    url: String,
    /// How long each flood lasts, in seconds
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    seconds: u64,
    /// Only these floods, by name
    #[arg(long, value_name = "NAME")]
    only: Vec<Flood>,
}

fn refused(message: impl Into<String>) -> Refusal {
    Refusal::new("cannot-attack", message)
}

/// The address of a server on this machine.
fn local(url: &str) -> Result<SocketAddr, Refusal> {
    let host = url
        .strip_prefix("http://")
        .map(|host| host.trim_end_matches('/'))
        .ok_or_else(|| refused("Give the address of a server such as http://127.0.0.1:7070."))?;
    let found: Vec<SocketAddr> = host
        .to_socket_addrs()
        .map_err(|error| refused(format!("'{host}' is not an address: {error}. Give a host and a port.")))?
        .collect();
    match found.as_slice() {
        [] => Err(refused(format!("'{host}' has no address."))),
        all if all.iter().all(|address| address.ip().is_loopback()) => {
            Ok(*all.iter().find(|address| address.is_ipv4()).unwrap_or(&all[0]))
        }
        _ => Err(refused("This command attacks only servers on this machine.")
            .remedy("Run it beside the server, with http://127.0.0.1:PORT.")),
    }
}

/// An address of this machine to come from: limits count by address, and honest players are not the attacker.
fn source(group: u8, number: u8) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(127, 0, group, number))
}

impl Attack {
    pub fn run(self, catalog: &Catalog) -> Done {
        let server = local(&self.url)?;
        let runtime = tokio::runtime::Runtime::new().map_err(|error| refused(format!("{error}.")))?;
        let report = runtime.block_on(attack(server, Duration::from_secs(self.seconds), &self.only, catalog))?;
        runtime.shutdown_background();
        Ok(if report { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// What one honest game noticed.
#[derive(Default)]
struct Noticed {
    /// How long each answer took.
    answers: Vec<Duration>,
    /// The status of each request that failed, and 0 where no reply came.
    failed: Vec<u16>,
    /// Answers that were acknowledged and are not in the game.
    lost: usize,
}

impl Noticed {
    fn failed(&mut self, reply: Option<(u16, Value)>) {
        self.failed.push(reply.map_or(0, |(status, _)| status));
    }
}

/// Runs all floods in turn; whether the honest games did well in each.
async fn attack(server: SocketAddr, time: Duration, only: &[Flood], catalog: &Catalog) -> Result<bool, Refusal> {
    let probe = Client::new(server, source(1, 250));
    if probe.get("/healthz").await.is_none() {
        return Err(refused(format!("No server answers at http://{server}.")).remedy("Start one: flagplot serve."));
    }
    println!(
        "{:<10} {:>8} {:>9} {:>9} {:>7} {:>6} {:>10}",
        "flood", "answers", "median", "95%", "failed", "lost", "memory"
    );
    let mut well = true;
    let floods = Flood::ALL.into_iter().filter(|flood| only.is_empty() || only.contains(flood));
    for (group, flood) in (PLAYERS..).zip(floods) {
        let stop = Arc::new(AtomicBool::new(false));
        let ammunition = Arc::new(flood.prepare(server, catalog).await?);
        let honest: Vec<_> =
            (0..GAMES).map(|number| tokio::spawn(play(server, source(group, number + 1), stop.clone()))).collect();
        let attackers = flood.start(server, ammunition, stop.clone());
        let begun = Instant::now();
        let mut memory = 0;
        while begun.elapsed() < time {
            tokio::time::sleep(Duration::from_millis(500)).await;
            memory = memory.max(resident(&probe).await);
        }
        stop.store(true, Relaxed);
        attackers.iter().for_each(tokio::task::JoinHandle::abort);
        let mut all = Noticed::default();
        for game in honest {
            let noticed = game.await.unwrap_or(Noticed { failed: vec![0], ..Noticed::default() });
            all.answers.extend(noticed.answers);
            all.failed.extend(noticed.failed);
            all.lost += noticed.lost;
        }
        all.answers.sort();
        let share = |part: usize| all.answers.get(all.answers.len().saturating_sub(1) * part / 100).copied();
        let (median, most) = (share(50).unwrap_or_default(), share(95).unwrap_or(Duration::MAX));
        println!(
            "{:<10} {:>8} {:>6} ms {:>6} ms {:>7} {:>6} {:>7} MB",
            flood.name(),
            all.answers.len(),
            median.as_millis(),
            most.as_millis(),
            all.failed.len(),
            all.lost,
            memory >> 20
        );
        let mut statuses: BTreeMap<u16, usize> = BTreeMap::new();
        all.failed.iter().for_each(|status| *statuses.entry(*status).or_default() += 1);
        for (status, count) in statuses {
            match status {
                0 => println!("  no reply: {count}"),
                _ => println!("  status {status}: {count}"),
            }
        }
        well &= most < Duration::from_millis(250) && all.lost == 0 && all.failed.is_empty() && memory < 500 << 20;
    }
    println!(
        "{}",
        if well {
            "The honest games did well: 95% of answers within 250 ms, nothing failed or lost, less than 500 MB."
        } else {
            "The honest games suffered. The target: 95% of answers within 250 ms, no failures, under 500 MB."
        }
    );
    Ok(well)
}

/// The memory of the server, as its metrics tell it.
async fn resident(probe: &Client) -> u64 {
    let text = probe.get("/metrics").await.map(|(_, text)| text).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("flagplot_resident_bytes "));
    line.and_then(|value| value.trim().parse::<f64>().ok()).map_or(0, |bytes| bytes as u64)
}

/// Plays honest games one after the other, both seats, each answer the first option. During each flood other people
/// play, so that nobody has used up an allowance of new games before.
async fn play(server: SocketAddr, from: IpAddr, stop: Arc<AtomicBool>) -> Noticed {
    let client = Client::new(server, from);
    let mut noticed = Noticed::default();
    while !stop.load(Relaxed) {
        let wish = json!({
            "system": BATTLE.0, "scenario": BATTLE.1, "own": [0, 1], "dice": "seeded",
            "seats": [{ "kind": "human" }, { "kind": "human" }],
        });
        let made = match client.post("/api/games", "", &wish).await {
            Some((201, made)) => made,
            failed => {
                noticed.failed(failed);
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let tokens: Vec<String> = made["seats"].as_array().into_iter().flatten().filter_map(token).collect();
        let path = format!("/api/games/{}", made["game"].as_str().unwrap_or_default());
        one_game(&client, &path, &tokens, &stop, &mut noticed).await;
    }
    noticed
}

fn token(seat: &Value) -> Option<String> {
    Some(seat["token"].as_str()?.to_owned())
}

async fn one_game(client: &Client, path: &str, tokens: &[String], stop: &AtomicBool, noticed: &mut Noticed) {
    let mut acknowledged = 0;
    for n in 0.. {
        let mut over = true;
        for (seat, token) in tokens.iter().enumerate() {
            if stop.load(Relaxed) {
                return;
            }
            let state = match client.get_as(path, token).await {
                Some((200, state)) => state,
                failed => {
                    noticed.failed(failed);
                    tokio::time::sleep(PAUSE).await;
                    over = false;
                    continue;
                }
            };
            let situation = &state["situation"];
            if situation["at"].as_u64().unwrap_or(0) < acknowledged {
                noticed.lost += 1;
            }
            over &= !situation["outcome"].is_null();
            let Some(option) = situation["question"]["options"].get(0) else { continue };
            let answer = json!({ "id": format!("{seat}-{n}"), "at": situation["at"], "value": option["value"] });
            let begun = Instant::now();
            match client.answer(&format!("{path}/answer"), token, &answer).await {
                Some((200, done)) => {
                    noticed.answers.push(begun.elapsed());
                    acknowledged = done["at"].as_u64().unwrap_or(acknowledged);
                }
                // The other seat of a sealed question may have been first; that is no failure.
                Some((409 | 422, _)) => {}
                failed => noticed.failed(failed),
            }
            tokio::time::sleep(PAUSE).await;
        }
        if over {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_flood_and_no_player_uses_up_anothers_allowance() {
        let floods = u8::try_from(Flood::ALL.len()).unwrap();
        assert!(Flood::ALL.into_iter().zip(0u8..).all(|(flood, at)| flood as u8 == at), "each has a number of its own");
        assert!(ATTACKERS > 1 && ATTACKERS + floods < PLAYERS && PLAYERS.checked_add(floods).is_some());
    }

    #[test]
    fn only_servers_on_this_machine_are_attacked() {
        assert!(local("http://127.0.0.1:7070").is_ok());
        assert!(local("http://localhost:7070/").is_ok());
        for url in ["http://192.0.2.1:7070", "http://0.0.0.0:7070", "http://10.0.0.1:80", "https://127.0.0.1:7070", "x"]
        {
            assert_eq!(local(url).unwrap_err().code, "cannot-attack", "{url}");
        }
    }
}
