//! What a seat is asked and offered depends only on what it may know.

use super::air::Recorder;
use super::sea_game;
use flagplot_fleet_action::game::FleetGame;
use flagplot_fleet_action::game::end::Stage;
use flagplot_fleet_action::game::state::{Phase, SquadronId, State};
use flagplot_kernel::{
    AtRandom, ByInstinct, Chance, Game, Policy, Progress, Question, Sampler, Seat, SeatQuestion, Tape, Viewer, advance,
};

/// States compared in each battle; set `FLAGPLOT_STATES` for a longer run.
fn wanted() -> usize {
    std::env::var("FLAGPLOT_STATES").ok().and_then(|number| number.parse().ok()).unwrap_or(1000)
}

fn asked(game: &FleetGame, state: &State, seat: Seat) -> Option<SeatQuestion> {
    match advance(game, state, &mut Tape::new(Vec::new())).expect("nothing was answered") {
        Progress::Asks(question) => question.to(seat).cloned(),
        Progress::Stepped(_) => None,
    }
}

/// Whether a seat is asked at this checkpoint; steps that only roll have nothing to compare.
fn asks(game: &FleetGame, state: &State) -> bool {
    let progress = advance(game, state, &mut Tape::new(Vec::new())).expect("nothing was answered");
    matches!(progress, Progress::Asks(Question::Choice(_) | Question::Secret { .. }))
}

/// Plays a battle and compares the true world with imagined ones wherever a seat is asked and the state is one of those
/// looked for; how many were compared.
fn compare<P: Policy>(game: &FleetGame, policy: P, seed: u64, most: usize, among: fn(&State) -> bool) -> usize {
    let (mut chance, mut dreams) = (Chance::seeded(seed), Chance::seeded(seed + 1));
    let (mut state, mut compared) = (game.setup(), 0);
    let mut sampler = Sampler::new(&mut chance, policy);
    while game.outcome(&state).is_none() && compared < most {
        if among(&state) && asks(game, &state) {
            for seat in [Seat(0), Seat(1)] {
                let viewer = Viewer::Seat(seat);
                let view = game.view(&state, viewer);
                let dream = game.imagine(&view, &mut dreams);
                assert!(game.view(&dream, viewer) == view, "{}: another view", game.battle.scenario.id);
                assert_eq!(asked(game, &state, seat), asked(game, &dream, seat), "{}", game.battle.scenario.id);
            }
            compared += 1;
        }
        game.step(&mut state, &mut sampler).expect("a sampler answers everything");
    }
    compared
}

fn compare_all(battle: &str, wanted: usize, among: fn(&State) -> bool) {
    let game = sea_game(battle);
    let (mut left, mut seed) = (wanted, 0);
    while left > 0 {
        let by_instinct = seed % 4 == 0;
        let compared = match by_instinct {
            true => compare(&game, ByInstinct, seed, left, among),
            false => compare(&game, AtRandom, seed, left, among),
        };
        left -= compared.min(left);
        seed += 1;
    }
    println!("{battle}: {wanted} states in {seed} battles");
}

#[test]
fn questions_and_offers_are_the_same_in_every_world_a_seat_can_imagine() {
    for battle in ["savo-island", "blackett-strait", "i-168"] {
        compare_all(battle, wanted(), |_| true);
    }
}

#[test]
fn questions_and_offers_are_the_same_while_torpedoes_run() {
    for battle in ["savo-island", "samar"] {
        compare_all(battle, wanted() / 5, |state| !state.sea.running.is_empty());
    }
}

/// One of two groups on markers has spotted an enemy and knows of the battle; the other rolls for it. Which is which
/// would tell the enemy what the marker holds that has spotted.
#[test]
fn which_group_on_a_marker_is_alerted_is_known_to_its_own_side_alone() {
    let game = sea_game("savo-island");
    let sleeping = |id: &SquadronId| game.battle.squad(*id).contact && game.battle.squad(*id).surprised;
    let ids = (0..game.battle.squadrons.len()).map(|at| SquadronId(at as u8));
    let groups: Vec<SquadronId> = ids.filter(sleeping).collect();
    let [north, south] = groups[..] else { panic!("{} groups are surprised", groups.len()) };
    let world = |alerted: SquadronId, rolls: SquadronId| {
        let mut state = game.setup();
        state.sea.turn = 3;
        state.sea.squadron_mut(alerted).surprised = false;
        state.phase = Phase::End(Stage::Alert(vec![rolls]));
        state
    };
    let worlds = [world(north, south), world(south, north)];
    let side = game.battle.squad(north).side;
    for seed in 0..12 {
        let ends = worlds.clone().map(|mut state| {
            let mut recorder = Recorder::new(seed);
            game.step(&mut state, &mut recorder).expect("a recorder answers everything");
            (state, recorder)
        });
        let told = |viewer: Viewer| {
            [0, 1].map(|at: usize| {
                let (after, recorder) = &ends[at];
                let notes: Vec<_> = recorder.notes.iter().filter(|note| note.seen_by(viewer)).cloned().collect();
                (game.view(&worlds[at], viewer), game.view(after, viewer), notes)
            })
        };
        for viewer in [Viewer::Seat(side.other().into()), Viewer::Spectator] {
            let [one, other] = told(viewer);
            assert!(one == other, "seed {seed}: {viewer:?} can tell");
        }
        let [one, other] = told(Viewer::Seat(side.into()));
        assert!(one != other, "its own side knows");
    }
}
