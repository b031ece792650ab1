//! Writes the types on the wire as TypeScript into the client's source: `cargo test -p flagplot-server --features ts --test wire_types`.
//! The files are committed; `./test` writes them again and compares.
#![cfg(feature = "ts")]

use flagplot_desk::Verdict;
use flagplot_kernel::{Insight, Rolled};
use flagplot_referee::{Chart, Ruling};
use flagplot_server::wire::*;
use ts_rs::{Config, TS};

#[test]
fn the_clients_types_are_written() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/wire");
    let config = Config::new().with_out_dir(folder).with_large_int("number");
    macro_rules! write {
        ($($name:ty),* $(,)?) => { $( <$name>::export_all(&config).unwrap(); )* };
    }
    write!(
        Refused,
        SystemBrief,
        SystemDetail,
        RulesPage,
        PlayerInfo,
        CreateGame,
        Created,
        GameState,
        AnswerBody,
        DiceBody,
        DrawBody,
        UndoBody,
        TextBody,
        EntropyBody,
        TakeBody,
        InviteBody,
        ExplainBody,
        Insight,
        HintBody,
        Hint,
        Preview,
        AnalysisBody,
        AnalysisState,
        Thinking,
        NewAccount,
        Login,
        Me,
        Verdict,
        Ruling,
        Chart,
        Rolled,
    );
    let state = std::fs::read_to_string(format!("{folder}/GameState.ts")).unwrap();
    assert!(!state.contains("bigint"), "{state}");
}
