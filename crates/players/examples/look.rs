use flagplot_kernel::*;
use flagplot_players::*;
fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let system = flagplot_schiffskrieg::System::new(&flagplot_schiffskrieg::files()).expect("built-in data");
    let game = system.game(&words[0], &serde_json::Value::Null).expect("a scenario");
    let kind: PlayerKind = words[1].parse().unwrap();
    let mut chance = Chance::seeded(words[2].parse().unwrap());
    let mut state = game.setup();
    let mut answers = Vec::new();
    while game.outcome(&state).is_none() {
        match advance(&game, &state, &mut Tape::new(answers.clone())).unwrap() {
            Progress::Stepped(next) => { state = next; answers.clear(); }
            Progress::Asks(q) => {
                let mut ask = |seat: Seat| {
                    let view = game.view(&state, Viewer::Seat(seat));
                    let g = think(&game, &view, &answers, seat, PlayerKind::Greedy, &mut chance).unwrap().value;
                    let t = think(&game, &view, &answers, seat, kind, &mut chance).unwrap();
                    println!("{} {} worth {:?}", seat, q.to(seat).unwrap().prompt.code, weigh(&Knowledge::new(&game, &view, &answers, seat), 1000, &mut chance));
                    for a in &t.alternatives { println!("   {:.3} ±{:.3} {:5} {:?} {}{} {}", a.estimate, a.error, a.games, a.share, if a.value == g {"* "} else {""}, a.label, if t.value==a.value {"<=="} else {""}); 
                       let c = compare(&Knowledge::new(&game, &view, &answers, seat), &a.value, &g, 1000, &mut chance); println!("        {:.3} ± {:.3}", c.difference, c.error); }
                    g
                };
                let a = match &q {
                    Question::Choice(asked) => Answer::Choice(ask(asked.seat)),
                    Question::Secret { open, .. } => Answer::Sealed(open.iter().map(|asked| (asked.seat, ask(asked.seat))).collect()),
                    Question::Dice { count, die, .. } => Answer::Dice(chance.faces(*count, *die)),
                };
                answers.push(a);
            }
        }
    }
    println!("{}", game.outcome(&state).unwrap().summary);
}
