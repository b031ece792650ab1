//! Games over HTTP, on both databases.

use crate::common::{Database, Game, SCENARIO, SYSTEM, Site};
use flagplot_desk::{Desk, DiceLine, DiceSource, Secret, Shares};
use serde_json::{Value, json};

on_both_databases! {
    a_game_is_played_to_its_end_and_its_record_verifies
    an_answer_sent_twice_counts_once
    of_two_answers_that_race_one_wins_and_the_other_sees_the_new_position
    a_sealed_answer_of_the_other_seat_does_not_make_mine_late
    a_computer_answers_by_itself
    what_is_refused_changes_nothing
    a_restart_loses_nothing
    a_game_that_was_forgotten_is_opened_from_its_snapshot
    typed_dice_are_asked_for_and_taken
    dice_wait_until_every_seat_has_committed_and_revealed
    a_seat_that_keeps_the_dice_waiting_runs_out_of_time
    an_imported_game_goes_on_with_dice_nobody_knows
    a_finished_game_is_imported_as_an_archive
    an_invitation_is_used_once_and_the_maker_keeps_no_token_of_others
    the_maker_invites_anew_while_a_seat_is_free
    an_answer_is_taken_back
    draws_are_offered_and_agreed
    a_rematch_exchanges_sides_and_keeps_tokens_apart
    chat_and_notes_are_kept
    accounts_keep_their_games
    clocks_run_out
    a_spectator_only_watches
    a_spectator_measures_at_a_table_and_does_nothing_else
}

async fn a_game_is_played_to_its_end_and_its_record_verifies(database: &Database) {
    let site = Site::open(database).await;
    let game = site
        .game(json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": [{ "kind": "human" }, { "kind": "human" }] }))
        .await;
    site.get(&game.path("/export"), &game.tokens[0]).await.refused(409, "not-over");
    game.play(500).await;
    let state = game.state(&game.tokens[0]).await;
    assert!(!state["situation"]["outcome"].is_null());
    let record = site.get(&game.path("/export"), &game.tokens[0]).await;
    // A process that has only read it gives the same record, with the secret of its dice revealed.
    assert_eq!(Site::open(database).await.get(&game.path("/export"), "").await.text, record.text);
    let verdict =
        site.send(axum::http::Request::post("/api/verify").body(record.text.clone().into()).unwrap()).await.ok();
    assert_eq!(verdict["dice"], "committed");
    assert!(verdict["rolls_proved"].as_u64().unwrap() > 0, "{verdict}");
    let copy = site.send(axum::http::Request::post("/api/games/import").body(record.text.into()).unwrap()).await.ok();
    let copy = site.get(&format!("/api/games/{}", copy["game"].as_str().unwrap()), "").await.ok();
    assert_eq!(copy["situation"], game.state("").await["situation"]);
    let at = state["situation"]["at"].as_u64().unwrap();
    let first = site.get(&game.path("/replay?at=0"), "").await.ok();
    assert_eq!(first["situation"]["at"], 0);
    let last = site.get(&game.path(&format!("/replay?at={at}")), "").await.ok();
    assert_eq!(last["situation"], state["situation"]);
    site.get(&game.path(&format!("/replay?at={}", at + 1)), "").await.refused(404, "unknown-entry");
}

async fn an_answer_sent_twice_counts_once(database: &Database) {
    let site = Site::open(database).await;
    let game = site.duel().await;
    let token = &game.tokens[0];
    let body = game.advised(token, "one").await.unwrap();
    let first = site.post(&game.path("/answer"), token, body.clone()).await.ok();
    let again = site.post(&game.path("/answer"), token, body.clone()).await.ok();
    assert_eq!(first["situation"]["at"], again["situation"]["at"]);
    // Also after the process has forgotten everything.
    let other = Site::open(database).await;
    let again = other.post(&game.path("/answer"), token, body).await.ok();
    assert_eq!(first["situation"]["at"], again["situation"]["at"]);
}

async fn of_two_answers_that_race_one_wins_and_the_other_sees_the_new_position(database: &Database) {
    let site = Site::open(database).await;
    let other = Site::open(database).await;
    for round in 0..5 {
        let game = site.duel().await;
        let token = game.tokens[0].clone();
        let mut left = game.advised(&token, "left").await.unwrap();
        let mut right = left.clone();
        right["id"] = json!("right");
        left["id"] = json!("left");
        let second = if database.address.starts_with("postgres") && round % 2 == 0 { &other } else { &site };
        let path = game.path("/answer");
        let (a, b) = tokio::join!(site.post(&path, &token, left), second.post(&path, &token, right));
        let (won, lost) = if a.status.is_success() { (a, b) } else { (b, a) };
        let won = won.ok();
        let lost = if lost.status == 409 {
            lost.refused(409, "moved-on")["state"].clone()
        } else {
            lost.refused(422, "not-your-turn");
            game.state(&token).await
        };
        assert_eq!(lost["situation"]["at"], won["situation"]["at"]);
    }
}

async fn a_sealed_answer_of_the_other_seat_does_not_make_mine_late(database: &Database) {
    let site = Site::open(database).await;
    let game = site.duel().await;
    // Play until both are asked at once.
    for round in 0..200 {
        let bodies = [
            game.advised(&game.tokens[0], &format!("a{round}")).await,
            game.advised(&game.tokens[1], &format!("b{round}")).await,
        ];
        let secret = game.state("").await["situation"]["waiting"]["secret"] == json!(true);
        for (body, token) in bodies.iter().zip(&game.tokens) {
            if let Some(body) = body {
                site.post(&game.path("/answer"), token, body.clone()).await.ok();
            }
        }
        if secret && bodies.iter().all(Option::is_some) {
            return;
        }
    }
    panic!("no secret question was met");
}

async fn a_computer_answers_by_itself(database: &Database) {
    let site = Site::open(database).await;
    let game = site
        .game(json!({ "system": SYSTEM, "scenario": SCENARIO,
            "seats": [{ "kind": "human" }, { "kind": "computer", "player": "greedy" }] }))
        .await;
    assert_eq!(game.tokens.len(), 1);
    game.play(500).await;
    assert!(!game.state(&game.tokens[0]).await["situation"]["outcome"].is_null());
    // A game of computers needs nobody.
    let alone = site
        .game(json!({ "system": SYSTEM, "scenario": SCENARIO,
            "seats": [{ "kind": "computer" }, { "kind": "computer" }] }))
        .await;
    for _ in 0..2000 {
        if !alone.state("").await["situation"]["outcome"].is_null() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("two computers did not finish a game");
}

async fn what_is_refused_changes_nothing(database: &Database) {
    let site = Site::open(database).await;
    let game = site.duel().await;
    let token = &game.tokens[0];
    let before = game.state(token).await;
    let at = &before["situation"]["at"];
    for (path, body, status, code) in [
        ("/answer", json!({ "id": "x", "at": at, "value": { "no": "such" } }), 422, None),
        ("/answer", json!({ "id": "", "at": at, "value": 1 }), 422, Some("bad-name")),
        ("/answer", json!({ "id": "x", "at": 99, "value": 1 }), 409, Some("moved-on")),
        ("/answer", json!({ "id": "x", "value": 1 }), 400, Some("bad-body")),
        ("/answer", json!({ "id": "x", "at": at, "value": 1, "more": 2 }), 400, Some("bad-body")),
        ("/dice", json!({ "id": "x", "faces": [1] }), 422, Some("not-typed")),
        ("/undo", json!({}), 422, Some("cannot-undo")),
        ("/chat", json!({ "text": "" }), 422, Some("empty-line")),
        ("/chat", json!({ "text": "x".repeat(2000) }), 422, Some("too-long")),
        ("/rematch", json!({}), 409, Some("not-over")),
        ("/hint", json!({ "player": "nobody" }), 422, Some("unknown-player")),
    ] {
        let got = site.post(&game.path(path), token, body).await;
        assert_eq!(got.status.as_u16(), status, "{path}: {}", got.text);
        if let Some(code) = code {
            assert_eq!(got.code(), code, "{path}: {}", got.text);
        }
    }
    site.post(&game.path("/answer"), "", json!({ "id": "x", "at": at, "value": 1 })).await.refused(403, "not-a-player");
    site.post(&game.path("/answer"), "wrong", json!({ "id": "x", "at": at, "value": 1 }))
        .await
        .refused(401, "bad-token");
    site.get("/api/games/none", "").await.refused(404, "unknown-game");
    site.get("/api/none", "").await.refused(404, "unknown-path");
    site.get(&game.path("/answer"), "").await.refused(405, "wrong-method");
    assert_eq!(game.state(token).await, before);
}

async fn a_restart_loses_nothing(database: &Database) {
    let site = Site::open(database).await;
    let game = site.duel().await;
    game.play(6).await;
    let before = [game.state(&game.tokens[0]).await, game.state(&game.tokens[1]).await, game.state("").await];
    drop(site);
    let mut after = game.clone();
    after.site = Site::open(database).await;
    for (token, before) in game.tokens.iter().map(String::as_str).chain([""]).zip(before) {
        assert_eq!(after.state(token).await, before);
    }
    after.play(500).await;
    assert!(!after.state("").await["situation"]["outcome"].is_null());
}

async fn a_game_that_was_forgotten_is_opened_from_its_snapshot(database: &Database) {
    let options =
        flagplot_server::Options { forget_after: Some(std::time::Duration::from_millis(300)), ..database.options() };
    let state = flagplot_server::state(options).await.unwrap();
    let site = Site(flagplot_server::app(state.clone()), state);
    let count = |text: String, name: &str| -> u64 {
        text.lines().find_map(|line| line.strip_prefix(&format!("flagplot_{name} "))).unwrap().parse().unwrap()
    };
    let game = site.game(crate::common::long_game()).await;
    let (first, body) = match game.advised(&game.tokens[0], "first").await {
        Some(body) => (&game.tokens[0], body),
        None => (&game.tokens[1], game.advised(&game.tokens[1], "first").await.unwrap()),
    };
    site.post(&game.path("/answer"), first, body.clone()).await.ok();
    game.play(30).await;
    let before = [game.state(&game.tokens[0]).await, game.state(&game.tokens[1]).await, game.state("").await];
    assert!(before[0]["situation"]["outcome"].is_null());
    for _ in 0..600 {
        if count(site.get("/metrics", "").await.text, "live_games") == 0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let metrics = site.get("/metrics", "").await.text;
    // On a busy machine it may have been forgotten in the middle, too.
    assert!(count(metrics.clone(), "live_games") == 0 && count(metrics.clone(), "snapshots_total") >= 1, "{metrics}");
    for (token, before) in game.tokens.iter().map(String::as_str).chain([""]).zip(before) {
        assert_eq!(game.state(token).await, before);
    }
    // An answer from before the snapshot still counts once, and the game plays on.
    let again = site.post(&game.path("/answer"), first, body).await.ok();
    assert_eq!(again["situation"]["at"], game.state("").await["situation"]["at"]);
    game.play(500).await;
    let state = game.state("").await;
    assert!(!state["situation"]["outcome"].is_null());
    let record = site.get(&game.path("/export"), "").await.text;
    let verdict = site.send(axum::http::Request::post("/api/verify").body(record.into()).unwrap()).await.ok();
    assert_eq!(verdict["entries"], state["situation"]["at"]);
}

async fn typed_dice_are_asked_for_and_taken(database: &Database) {
    let site = Site::open(database).await;
    let game = site
        .game(json!({ "system": SYSTEM, "scenario": SCENARIO,
            "seats": [{ "kind": "human" }, { "kind": "human" }], "dice": "typed" }))
        .await;
    for round in 0..100 {
        let state = game.state("").await;
        if let Some(due) = state["situation"]["waiting"]["dice"].as_array() {
            let count = due[0].as_u64().unwrap() as usize;
            let wrong = json!({ "id": "wrong", "faces": vec![1; count + 1] });
            let refused = site.post(&game.path("/dice"), &game.tokens[0], wrong).await;
            assert_eq!(refused.status, 422, "{}", refused.text);
            let body = json!({ "id": "d", "at": state["situation"]["at"], "faces": vec![1; count] });
            let after = site.post(&game.path("/dice"), &game.tokens[1], body.clone()).await.ok();
            let again = site.post(&game.path("/dice"), &game.tokens[1], body).await.ok();
            assert_eq!(after["situation"]["at"], state["situation"]["at"].as_u64().unwrap() + 1);
            assert_eq!(after["situation"]["at"], again["situation"]["at"]);
            return;
        }
        for (seat, token) in game.tokens.iter().enumerate() {
            if let Some(body) = game.advised(token, &format!("{seat}-{round}")).await {
                site.post(&game.path("/answer"), token, body).await.ok();
            }
        }
    }
    panic!("no dice were asked for");
}

fn fair_duel() -> Value {
    json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": [{ "kind": "human" }, { "kind": "human" }] })
}

async fn verified(site: &Site, game: &Game) -> Value {
    let record = site.get(&game.path("/export"), &game.tokens[0]).await.text;
    site.send(axum::http::Request::post("/api/verify").body(record.into()).unwrap()).await.ok()
}

/// Plays on until a roll waits for seats to join the dice.
async fn until_the_dice_wait(game: &Game) -> Value {
    for _ in 0..50 {
        let state = game.state(&game.tokens[0]).await;
        if state["situation"]["waiting"].get("joining").is_some() {
            return state;
        }
        for (seat, token) in game.tokens.iter().enumerate() {
            if let Some(body) = game.advised(token, &format!("{seat}-{}", state["situation"]["at"])).await {
                game.site.post(&game.path("/answer"), token, body).await.ok();
            }
        }
    }
    panic!("no roll waited for the seats");
}

async fn dice_wait_until_every_seat_has_committed_and_revealed(database: &Database) {
    let site = Site::open(database).await;
    let game = site.fresh(fair_duel()).await;
    let [ann, bob] = [Secret::new(), Secret::new()];
    let entropy = |seat: usize, body: Value| site.post_owned(game.path("/entropy"), game.tokens[seat].clone(), body);
    let state = game.state(&game.tokens[0]).await;
    assert!(state["meta"]["commitment"].as_str().is_some_and(|text| text.len() == 64));
    assert_eq!(state["meta"]["seats"][0]["entropy"], "awaited");
    entropy(0, json!({ "text": "my cat's name" })).await.refused(400, "bad-body");
    entropy(0, json!({ "waive": false })).await.refused(422, "bad-body");
    entropy(0, json!({ "commit": "cat" })).await.refused(422, "bad-commitment");
    entropy(0, json!({ "reveal": ann.reveal() })).await.refused(422, "not-committed");
    let committed = entropy(0, json!({ "commit": ann.commitment().0 })).await.ok();
    assert_eq!(committed["meta"]["seats"][0]["entropy"], "committed");
    assert_eq!(committed["meta"]["commitment"], state["meta"]["commitment"]);
    entropy(0, json!({ "reveal": ann.reveal() })).await.refused(422, "too-early");
    // Answers are taken meanwhile, and lock nobody out; the first roll waits, and nothing is rolled.
    let waiting = until_the_dice_wait(&game).await;
    assert!(waiting["situation"]["at"].as_u64().unwrap() > 0);
    assert_eq!(waiting["situation"]["waiting"], json!({ "seats": [], "secret": false, "joining": [1] }));
    assert_eq!(waiting["situation"]["can_undo"], false);
    entropy(1, json!({ "commit": bob.commitment().0 })).await.ok();
    let other = Site::open(database).await;
    let elsewhere = other.get(&game.path(""), "").await.ok();
    assert_eq!(elsewhere["situation"]["waiting"]["joining"], json!([0, 1]));
    assert!(!elsewhere.to_string().contains(&ann.commitment().0), "hashes of the seats are in the record, not here");
    entropy(1, json!({ "reveal": ann.reveal() })).await.refused(422, "wrong-reveal");
    entropy(1, json!({ "reveal": bob.reveal() })).await.ok();
    entropy(1, json!({ "reveal": bob.reveal() })).await.ok();
    let rolled = entropy(0, json!({ "reveal": ann.reveal() })).await.ok();
    assert!(rolled["situation"]["at"].as_u64() > waiting["situation"]["at"].as_u64(), "the die is cast");
    assert_eq!(rolled["meta"]["seats"][0]["entropy"], "added");
    entropy(0, json!({ "waive": true })).await.refused(422, "already-added");
    game.play(500).await;
    let verdict = verified(&site, &game).await;
    assert_eq!((&verdict["seats_added"], &verdict["seats_waived"]), (&json!([0, 1]), &json!([])));
    assert!(verdict["rolls_proved"].as_u64().unwrap() > 0);
    let record = site.get(&game.path("/export"), "").await.text;
    assert!(record.lines().next().unwrap().contains(&ann.reveal()));
}

async fn a_seat_that_keeps_the_dice_waiting_runs_out_of_time(database: &Database) {
    let site = Site::open(database).await;
    let wish = |then: &str| {
        let mut wish = fair_duel();
        wish["clock"] = json!({ "kind": "per-move", "seconds": 2, "on_timeout": then });
        wish
    };
    let [lost, helped] = [site.fresh(wish("lose")).await, site.fresh(wish("computer")).await];
    for game in [&lost, &helped] {
        site.post(&game.path("/entropy"), &game.tokens[0], json!({ "waive": true })).await.ok();
        until_the_dice_wait(game).await;
    }
    for _ in 0..300 {
        let over = lost.state("").await["situation"]["outcome"].clone();
        let state = helped.state("").await;
        if !over.is_null() && state["meta"]["seats"][1]["entropy"] == "waived" {
            assert_eq!((&over["level"], &over["winner"]), (&json!("time"), &json!("first")));
            assert_eq!(state["situation"]["waiting"].get("joining"), None);
            site.post(&helped.path("/resign"), &helped.tokens[0], Value::Null).await.ok();
            assert_eq!(verified(&site, &helped).await["seats_waived"], json!([0, 1]));
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the dice wait for ever");
}

async fn an_imported_game_goes_on_with_dice_nobody_knows(database: &Database) {
    let site = Site::open(database).await;
    // A record made up by hand: its maker knows the secret and what both seats have added.
    let catalog = flagplot_catalog::Catalog::built_in();
    let secret = Secret::parse(&"ab".repeat(32)).unwrap();
    let dice = DiceSource::Committed { secret, shares: Shares::unpledged(vec!["mine".into(), "yours".into()]) };
    let seats = vec!["Ann".to_owned(), "Bob".to_owned()];
    let known = Desk::open(&catalog, SYSTEM, SCENARIO, Value::Null, seats, dice).unwrap().record(true);
    let text = known.to_text();
    let request = |path: &str| axum::http::Request::post(path).body(text.clone().into()).unwrap();
    site.send(request("/api/verify")).await.ok();
    let created = site.send(request("/api/games/import")).await.ok();
    assert!(created["seats"][0]["token"].is_string() && created["seats"][1]["token"].is_null());
    site.send(request("/api/games/import?own=x")).await.refused(400, "bad-query");
    site.send(request("/api/games/import?own=7")).await.refused(422, "bad-seat");
    let both = site.send(request("/api/games/import?own=0,1")).await.ok();
    assert!(both["seats"].as_array().unwrap().iter().all(|seat| seat["token"].is_string()));
    let game = site.seated(&created).await;
    let state = game.state("").await;
    assert_eq!(state["meta"]["imported"], 0);
    assert_eq!(state["meta"]["seats"][1]["entropy"], "awaited");
    let DiceLine::Committed { commitment, .. } = &known.header.dice else { unreachable!() };
    assert_ne!(state["meta"]["commitment"], json!(commitment.0));
    game.join_dice().await;
    game.play(500).await;
    let record = site.get(&game.path("/export"), "").await.text;
    let record = flagplot_desk::Record::parse(record.as_bytes()).unwrap();
    assert_ne!(record.secret, known.secret);
    assert_eq!(record.header.imported[0].secret, known.secret);
    let verdict = verified(&site, &game).await;
    assert!(verdict["rolls_proved"].as_u64().unwrap() > 0);
    assert_eq!((&verdict["rolls_imported"], &verdict["seats_added"]), (&json!(0), &json!([0, 1])));
}

async fn a_finished_game_is_imported_as_an_archive(database: &Database) {
    let site = Site::open(database).await;
    let game = site.game(fair_duel()).await;
    game.play(500).await;
    let record = site.get(&game.path("/export"), "").await.text;
    let import =
        |record: String| site.send_owned(axum::http::Request::post("/api/games/import").body(record.into()).unwrap());
    let copy = import(record.clone()).await.ok();
    let path = format!("/api/games/{}", copy["game"].as_str().unwrap());
    let state = site.get(&path, "").await.ok();
    assert_eq!(state["meta"]["imported"], state["situation"]["at"]);
    assert_eq!(site.get(&format!("{path}/export"), "").await.text, record);
    assert_eq!(game.state("").await["meta"].get("imported"), None);
}

async fn an_invitation_is_used_once_and_the_maker_keeps_no_token_of_others(database: &Database) {
    let site = Site::open(database).await;
    let created = site.post("/api/games", "", fair_duel()).await.ok();
    let [own, other] = [&created["seats"][0], &created["seats"][1]];
    assert!(own["token"].is_string() && own["invitation"].is_null());
    assert!(other["invitation"].is_string() && other["token"].is_null(), "{other}");
    let id = created["game"].as_str().unwrap();
    assert_eq!(other["link"], format!("/#/game/{id}?invitation={}", other["invitation"].as_str().unwrap()));
    let (game, invitation) = (format!("/api/games/{id}"), other["invitation"].as_str().unwrap());
    let take = |body: Value| site.post_owned(format!("{game}/take"), String::new(), body);
    // An invitation is no token.
    site.get(&game, invitation).await.refused(401, "bad-token");
    take(json!({ "invitation": "wrong" })).await.refused(401, "bad-invitation");
    take(json!({ "invitation": own["token"] })).await.refused(401, "bad-invitation");
    take(json!({ "invitation": invitation, "token": "short" })).await.refused(422, "bad-token");
    take(json!({ "invitation": invitation, "token": own["token"] })).await.refused(422, "bad-token");
    assert_eq!(site.get(&game, "").await.ok()["meta"]["seats"][1]["taken"], false);
    // Of many who use it at once, one gets the seat.
    let all = futures_util::future::join_all((0..8).map(|_| take(json!({ "invitation": invitation })))).await;
    let (won, lost): (Vec<_>, Vec<_>) = all.into_iter().partition(|got| got.status == 201);
    assert_eq!((won.len(), lost.len()), (1, 7));
    lost.into_iter().for_each(|got| drop(got.refused(409, "invitation-used")));
    let taken = won[0].json();
    let token = taken["token"].as_str().unwrap();
    assert!(token != invitation && taken["seat"] == 1);
    let state = site.get(&game, token).await.ok();
    assert_eq!((&state["you"]["seat"], &state["meta"]["seats"][1]["taken"]), (&json!(1), &json!(true)));
    // The maker can neither come in nor invite anew, here and after a restart.
    for site in [site.clone(), Site::open(database).await] {
        let ask = |path: &str, body: Value| site.post_owned(format!("{game}{path}"), String::new(), body);
        ask("/take", json!({ "invitation": invitation })).await.refused(409, "invitation-used");
        let body = json!({ "seat": 1 });
        site.post(&format!("{game}/invite"), own["token"].as_str().unwrap(), body.clone())
            .await
            .refused(409, "seat-taken");
        site.post(&format!("{game}/invite"), token, body).await.refused(403, "not-the-maker");
    }
    // With a token of one's own making a lost reply loses nothing, and it is still the only one.
    let created = site.post("/api/games", "", fair_duel()).await.ok();
    let path = format!("/api/games/{}/take", created["game"].as_str().unwrap());
    let body = |token: &str| json!({ "invitation": created["seats"][1]["invitation"], "token": token.repeat(43) });
    assert_eq!(site.post(&path, "", body("a")).await.ok()["token"], "a".repeat(43));
    assert_eq!(site.post(&path, "", body("a")).await.ok()["seat"], 1);
    site.post(&path, "", body("b")).await.refused(409, "invitation-used");
    // Whoever sits at both seats says so.
    let mut wish = fair_duel();
    wish["own"] = json!([0, 1]);
    let created = site.post("/api/games", "", wish.clone()).await.ok();
    assert!(created["seats"].as_array().unwrap().iter().all(|seat| seat["token"].is_string()));
    wish["own"] = json!([2]);
    site.post("/api/games", "", wish).await.refused(422, "bad-seat");
}

async fn the_maker_invites_anew_while_a_seat_is_free(database: &Database) {
    let site = Site::open(database).await;
    let created = site.post("/api/games", "", fair_duel()).await.ok();
    let game = format!("/api/games/{}", created["game"].as_str().unwrap());
    let invite =
        |token: &str, seat: u8| site.post_owned(format!("{game}/invite"), token.to_owned(), json!({ "seat": seat }));
    let own = created["seats"][0]["token"].as_str().unwrap();
    invite("", 1).await.refused(403, "not-a-player");
    invite(own, 0).await.refused(409, "seat-taken");
    invite(own, 5).await.refused(422, "bad-seat");
    let new = invite(own, 1).await.ok();
    let take = |invitation: &Value| {
        site.post_owned(format!("{game}/take"), String::new(), json!({ "invitation": invitation }))
    };
    take(&created["seats"][1]["invitation"]).await.refused(401, "bad-invitation");
    take(&new["invitation"]).await.ok();
}

async fn an_answer_is_taken_back(database: &Database) {
    let site = Site::open(database).await;
    let game = site.duel().await;
    for round in 0..200 {
        for token in &game.tokens {
            let before = game.state(token).await;
            let Some(body) = game.advised(token, &format!("x{round}")).await else { continue };
            let answered = site.post(&game.path("/answer"), token, body).await.ok();
            if answered["situation"]["can_undo"] == json!(true) {
                let undone = site.post(&game.path("/undo"), token, Value::Null).await.ok();
                assert_eq!(undone["situation"]["question"], before["situation"]["question"]);
                assert_eq!(undone["log"], before["log"]);
                return;
            }
        }
    }
    panic!("nothing could be taken back");
}

async fn draws_are_offered_and_agreed(database: &Database) {
    let site = Site::open(database).await;
    let game = site.duel().await;
    let draw =
        |token: &str, offer: bool| site.post_owned(game.path("/draw"), token.to_owned(), json!({ "offer": offer }));
    assert_eq!(draw(&game.tokens[0], true).await.ok()["draw_offer"], 0);
    assert_eq!(draw(&game.tokens[1], false).await.ok()["draw_offer"], Value::Null);
    assert_eq!(draw(&game.tokens[0], true).await.ok()["draw_offer"], 0);
    // Offering twice is not agreeing with oneself.
    assert_eq!(draw(&game.tokens[0], true).await.ok()["situation"]["outcome"], Value::Null);
    let over = draw(&game.tokens[1], true).await.ok();
    assert_eq!(over["situation"]["outcome"]["winner"], Value::Null);
    assert_eq!(over["situation"]["outcome"]["level"], "agreed draw");
    draw(&game.tokens[1], true).await.refused(422, "game-over");
}

async fn a_rematch_exchanges_sides_and_keeps_tokens_apart(database: &Database) {
    let site = Site::open(database).await;
    let game = site.duel().await;
    site.post(&game.path("/resign"), &game.tokens[0], Value::Null).await.ok();
    let (first, second) = (
        site.post(&game.path("/rematch"), &game.tokens[0], Value::Null).await.ok(),
        site.post(&game.path("/rematch"), &game.tokens[1], Value::Null).await.ok(),
    );
    assert_eq!(first["game"], second["game"]);
    assert_eq!(first["seats"].as_array().unwrap().len(), 1);
    assert_eq!((&first["seats"][0]["seat"], &second["seats"][0]["seat"]), (&json!(1), &json!(0)));
    let state = site
        .get(&format!("/api/games/{}", first["game"].as_str().unwrap()), first["seats"][0]["token"].as_str().unwrap())
        .await
        .ok();
    assert_eq!(state["you"]["seat"], 1);
    assert_eq!(state["meta"]["seats"][1]["name"], "Ann");
    assert_eq!(game.state("").await["rematch"], first["game"]);
}

async fn chat_and_notes_are_kept(database: &Database) {
    let site = Site::open(database).await;
    let game = site.duel().await;
    site.post(&game.path("/chat"), &game.tokens[1], json!({ "text": "Good luck!" })).await.ok();
    let kept = site.ask("PUT", &game.path("/notes"), &game.tokens[0], json!({ "text": "They bluff." })).await;
    assert_eq!(kept.status, 204);
    let mut game = game;
    game.site = Site::open(database).await;
    let own = game.state(&game.tokens[0]).await;
    assert_eq!((&own["chat"][0]["text"], &own["chat"][0]["from"]), (&json!("Good luck!"), &json!(1)));
    assert_eq!(own["notes"], "They bluff.");
    for token in [game.tokens[1].as_str(), ""] {
        assert!(!game.site.get(&game.path(""), token).await.text.contains("bluff"));
    }
}

async fn accounts_keep_their_games(database: &Database) {
    let site = Site::open(database).await;
    let made = site.post("/api/account", "", json!({ "name": "Ann", "password": "correct horse" })).await;
    assert_eq!(made.status, 201, "{}", made.text);
    site.post("/api/account", "", json!({ "name": "ANN", "password": "something else" }))
        .await
        .refused(409, "name-taken");
    site.post("/api/account", "", json!({ "name": "Bob", "password": "short" })).await.refused(422, "bad-password");
    site.post("/api/session", "", json!({ "name": "ann", "password": "wrong horse" }))
        .await
        .refused(401, "wrong-password");
    site.post("/api/session", "", json!({ "name": "nobody", "password": "wrong horse" }))
        .await
        .refused(401, "wrong-password");
    let entered = site.post("/api/session", "", json!({ "name": "ann", "password": "correct horse" })).await;
    let cookie = entered.headers["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let pair = cookie.split(';').next().unwrap().to_owned();
    let asked = |method: &str, path: &str, token: &str, header: bool| {
        let mut request = axum::http::Request::builder().method(method).uri(path).header("cookie", pair.clone());
        if !token.is_empty() {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if header {
            request = request.header("x-flagplot", "1");
        }
        site.send_owned(request.body(axum::body::Body::empty()).unwrap())
    };
    let game = site.duel().await;
    asked("GET", &game.path(""), &game.tokens[1], false).await.ok();
    let me = asked("GET", "/api/me", "", false).await.ok();
    assert_eq!(me["name"], "Ann");
    assert_eq!(
        (&me["games"][0]["game"], &me["games"][0]["seat"], &me["games"][0]["over"]),
        (&json!(game.id), &json!(1), &json!(false))
    );
    // The account is enough from now on.
    assert_eq!(asked("GET", &game.path(""), "", false).await.ok()["you"]["seat"], 1);
    asked("POST", &game.path("/resign"), "", false).await.refused(403, "forged");
    asked("POST", &game.path("/resign"), "", true).await.ok();
    assert_eq!(asked("GET", "/api/me", "", false).await.ok()["games"][0]["over"], true);
    assert_eq!(asked("DELETE", "/api/session", "", true).await.status, 204);
    asked("GET", "/api/me", "", false).await.refused(401, "no-session");
}

async fn clocks_run_out(database: &Database) {
    let site = Site::open(database).await;
    let wish = |then: &str| {
        json!({ "system": SYSTEM, "scenario": SCENARIO,
            "seats": [{ "kind": "human" }, { "kind": "human" }], "clock": { "kind": "per-move", "seconds": 1,
                "on_timeout": then } })
    };
    let lost = site.game(wish("lose")).await;
    // Too late is too late, whether or not somebody has looked at the clock.
    let late = site.game(wish("lose")).await;
    let (first, body) = match late.advised(&late.tokens[0], "late").await {
        Some(body) => (&late.tokens[0], body),
        None => (&late.tokens[1], late.advised(&late.tokens[1], "late").await.unwrap()),
    };
    tokio::time::sleep(std::time::Duration::from_millis(1050)).await;
    let refused = site.post(&late.path("/answer"), first, body).await;
    assert!(["time-over", "game-over", "moved-on"].contains(&refused.code().as_str()), "{}", refused.text);
    let helped = site.game(wish("computer")).await;
    let state = lost.state(&lost.tokens[0]).await;
    assert!(state["clock"]["seats"][0]["left"].as_i64().unwrap() <= 1000);
    for _ in 0..300 {
        let over = lost.state("").await["situation"]["outcome"].clone();
        let moved = helped.state("").await["situation"]["at"].as_u64().unwrap() > 0;
        if !over.is_null() && moved {
            assert_eq!(over["level"], "time");
            assert!(over["summary"].as_str().unwrap().ends_with(" on time."), "{over}");
            let log = lost.state("").await["log"].clone();
            assert_eq!(log.as_array().unwrap().last().unwrap()["what"], "time", "{log}");
            // It is so in the record, and the record verifies.
            let record = site.get(&lost.path("/export"), "").await.text;
            assert!(record.contains("{\"timeout\":{\"seat\":"), "{record}");
            site.send(axum::http::Request::post("/api/verify").body(record.into()).unwrap()).await.ok();
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("no clock ran out");
}

async fn a_spectator_only_watches(database: &Database) {
    let site = Site::open(database).await;
    let game = site.duel().await;
    let before = game.state(&game.tokens[0]).await;
    let at = before["situation"]["at"].clone();
    let option = before["situation"]["question"]["options"][0]["value"].clone();
    for (method, path, body) in [
        ("POST", "/answer", json!({ "id": "x", "at": at, "value": option })),
        ("POST", "/dice", json!({ "id": "x", "faces": [1] })),
        ("POST", "/undo", json!({})),
        ("POST", "/resign", json!({})),
        ("POST", "/draw", json!({ "offer": true })),
        ("POST", "/chat", json!({ "text": "Good luck!" })),
        ("PUT", "/notes", json!({ "text": "They bluff." })),
        ("POST", "/entropy", json!({ "waive": true })),
        ("POST", "/explain", json!({})),
        ("POST", "/preview", json!({ "value": option })),
        ("POST", "/hint", json!({})),
        ("POST", "/invite", json!({ "seat": 1 })),
        ("DELETE", "", Value::Null),
    ] {
        let got = site.ask(method, &game.path(path), "", body).await;
        assert_eq!((got.status.as_u16(), got.code().as_str()), (403, "not-a-player"), "{method} {path}: {}", got.text);
    }
    assert_eq!(game.state(&game.tokens[0]).await, before);
    // Where watching is not wanted there is nothing to see either.
    let mut wish = fair_duel();
    wish["spectators"] = json!(false);
    let closed = site.game(wish).await;
    for path in ["", "/events", "/replay", "/export", "/sheets"] {
        site.get(&closed.path(path), "").await.refused(403, "not-open");
    }
    site.post(&closed.path("/analysis"), "", json!({})).await.refused(403, "not-open");
}

async fn a_spectator_measures_at_a_table_and_does_nothing_else(database: &Database) {
    let site = Site::open(database).await;
    let wish = json!({ "system": "fleet-action", "scenario": "table", "seats": [{ "kind": "human" }], "own": [0] });
    let table = site.fresh(wish).await;
    let at = table.state(&table.tokens[0]).await["situation"]["at"].clone();
    let forces = json!({ "id": "forces", "at": at, "value": { "do": "scenario", "scenario": "denmark-strait" } });
    site.post(&table.path("/answer"), &table.tokens[0], forces).await.ok();
    let act = |act: &str| {
        json!({ "value": { "do": "act", "act": act, "cast": { "shooter": ["bismarck"],
            "target": ["hood"] } } })
    };
    let said = site.post(&table.path("/consider"), "", act("geometry")).await.ok();
    let sentence = said["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("Bismarck to Hood: ") && sentence.contains("bear"), "{sentence}");
    // What a spectator may not do is not considered either.
    assert_eq!(said["ready"], false);
    site.post(&table.path("/consider"), "", act("salvo")).await.refused(403, "not-a-player");
    let forged = json!({ "value": { "do": "next", "by": 0 } });
    site.post(&table.path("/consider"), "", forged).await.refused(403, "not-a-player");
    assert_eq!(table.state("").await["situation"]["at"], json!(1));
    // Nothing is hidden at a table but the secret of its dice.
    let referee = table.state(&table.tokens[0]).await;
    assert_eq!(table.state("").await["situation"]["view"], referee["situation"]["view"]);
    for path in ["/sheets", "/export"] {
        let own = site.get(&table.path(path), &table.tokens[0]).await;
        let watched = site.get(&table.path(path), "").await;
        assert_eq!((own.status.as_u16(), &own.text), (200, &watched.text), "{path}");
        assert!(!watched.text.contains("\"secret\""), "{path}");
    }
    for path in ["/answer", "/undo", "/chat"] {
        let body = json!({ "id": "x", "at": 1, "value": { "do": "next" } });
        let body = if path == "/answer" { body } else { json!({ "text": "x" }) };
        let body = if path == "/undo" { json!({}) } else { body };
        site.post(&table.path(path), "", body).await.refused(403, "not-a-player");
    }
}
