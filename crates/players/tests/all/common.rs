use flagplot_kernel::{Answer, Chance, Game, Progress, Question, Seat, SeatQuestion, Tape, Viewer, advance};
use flagplot_players::{PlayerKind, think};

/// Plays games by instinct and shows every question on the way, until `wanted` has seen what it was looking for.
pub fn walk<G: Game>(
    game: &G,
    seeds: std::ops::Range<u64>,
    mut wanted: impl FnMut(&G::State, &[Answer], &SeatQuestion) -> bool,
) {
    for seed in seeds.clone() {
        let mut chance = Chance::seeded(seed);
        let (mut state, mut answers) = (game.setup(), Vec::new());
        while game.outcome(&state).is_none() {
            match advance(game, &state, &mut Tape::new(answers.clone()).deaf()).unwrap() {
                Progress::Stepped(next) => {
                    state = next;
                    answers.clear();
                }
                Progress::Asks(question) => {
                    if question.open().iter().any(|asked| wanted(&state, &answers, asked)) {
                        return;
                    }
                    let mut greedy = |seat: Seat| {
                        think(
                            game,
                            &game.view(&state, Viewer::Seat(seat)),
                            &answers,
                            seat,
                            PlayerKind::Greedy,
                            &mut chance,
                        )
                        .unwrap()
                        .value
                    };
                    let answer = match &question {
                        Question::Choice(asked) => Answer::Choice(greedy(asked.seat)),
                        Question::Secret { open, .. } => {
                            Answer::Sealed(open.iter().map(|asked| (asked.seat, greedy(asked.seat))).collect())
                        }
                        Question::Dice { count, die, .. } => Answer::Dice(chance.faces(*count, *die)),
                    };
                    answers.push(answer);
                }
            }
        }
    }
    panic!("not met in the games {seeds:?}");
}
