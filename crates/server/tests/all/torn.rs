//! A power cut leaves SQLite's log with any length and any bytes beyond what was acknowledged: what was acknowledged is
//! there, and what was not is there as a whole or not at all.

use crate::common::{Database, Site};
use flagplot_kernel::Chance;
use std::path::PathBuf;

const ANSWERS: usize = 6;
const CUTS: usize = 40;

fn log(database: &str) -> PathBuf {
    PathBuf::from(format!("{database}-wal"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_torn_log_keeps_every_acknowledged_answer_and_no_half_of_another() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    let game = site.duel().await;
    // How long the log was when so many entries were acknowledged.
    let mut acknowledged: Vec<(u64, u64)> = Vec::new();
    while acknowledged.len() < ANSWERS {
        for token in &game.tokens {
            let Some(body) = game.advised(token, &format!("answer {}", acknowledged.len())).await else { continue };
            let state = site.post(&game.path("/answer"), token, body).await.ok();
            let length = std::fs::metadata(log(&database.address)).unwrap().len();
            acknowledged.push((length, state["situation"]["at"].as_u64().unwrap()));
        }
    }
    let (file, whole) = (std::fs::read(&database.address).unwrap(), std::fs::read(log(&database.address)).unwrap());
    let mut chance = Chance::seeded(1);
    let (begun, mut shorter) = (acknowledged[0].0, 0);
    for _ in 0..CUTS {
        let cut = begun + u64::from(chance.below(u32::try_from(whole.len() as u64 - begun).unwrap()));
        let mut torn = whole[..usize::try_from(cut).unwrap()].to_vec();
        torn.extend((0..chance.below(9_000)).map(|_| chance.below(256) as u8));
        let after = Database::sqlite();
        std::fs::create_dir_all(PathBuf::from(&after.address).parent().unwrap()).unwrap();
        std::fs::write(&after.address, &file).unwrap();
        std::fs::write(log(&after.address), &torn).unwrap();
        let after = Site::open(&after).await;
        let state = after.get(&game.path(""), &game.tokens[0]).await.ok();
        let at = state["situation"]["at"].as_u64().unwrap();
        let least = acknowledged.iter().rev().find(|(length, _)| *length <= cut).unwrap().1;
        assert!(at >= least, "{least} entries were acknowledged within {cut} bytes, and {at} are there");
        let last = acknowledged.last().unwrap().1;
        assert!(at == last || acknowledged.iter().any(|(_, whole)| *whole == at), "entry {at} ends no answer");
        shorter += usize::from(at < last);
    }
    assert!(shorter > CUTS / 4, "hardly any cut reached an answer");
}
