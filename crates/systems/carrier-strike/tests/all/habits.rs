//! What the computer's habits give away, and whether it keeps its aircraft busy.

use flagplot_carrier_strike::game::{Form, Phase, SquadronId, State, View};
use flagplot_carrier_strike::{CarrierGame, System, files};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{AtRandom, Chance, Choice, Game, Policy, Sampler, Seat, Side, Viewer};
use serde_json::Value;

fn game(scenario: &str) -> CarrierGame {
    System::new(&files()).unwrap().game(scenario, &Value::Null).unwrap()
}

/// So many games of each kind; the environment can ask for more.
fn games(usual: u64) -> u64 {
    std::env::var("FLAGPLOT_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(usual)
}

/// Plays by instinct, but one answer in so many at random; 1 for all, 0 for none.
#[derive(Clone, Copy)]
struct Level(u32);

impl Policy for Level {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        if self.0 > 0 && chance.below(self.0) == 0 { AtRandom.decide(choice, chance) } else { choice.instinct(chance) }
    }
}

/// What an observer has seen of a side's dice, beside the present view.
#[derive(Default)]
struct Memory {
    launches: Vec<Point>,
    landings: Vec<Point>,
    last: Vec<(SquadronId, Point)>,
    /// A die has flown home to a card on its last fuel.
    flown_home: bool,
}

impl Memory {
    fn look(&mut self, view: &View, side: Side) {
        let up: Vec<(SquadronId, Point)> =
            SquadronId::of(side).filter(|id| view.seen[*id].up()).map(|id| (id, view.seen[id].pos)).collect();
        let known = |list: &[(SquadronId, Point)], id| list.iter().any(|(other, _)| *other == id);
        self.launches.extend(up.iter().filter(|(id, _)| !known(&self.last, *id)).map(|(_, at)| *at));
        self.landings.extend(self.last.iter().filter(|(id, _)| !known(&up, *id)).map(|(_, at)| *at));
        self.flown_home |= up.iter().any(|(id, _)| view.seen[*id].ditched);
        self.last = up;
    }
}

/// What each sign says: for the second card if it is positive, for the first if it is negative.
type Signs = Vec<(&'static str, i64)>;

/// How strongly each sign speaks for the second card, from a view of the other side and what it remembers.
fn signs(view: &View, side: Side, memory: &Memory) -> Signs {
    let [Some(a), Some(b)] = view.seen.carriers[side].cards else { return Vec::new() };
    let nearer =
        |points: &mut dyn Iterator<Item = Point>| points.map(|at| (at.dist2(a) - at.dist2(b)).signum()).sum::<i64>();
    let own = |side: Side| SquadronId::of(side).filter(|id| view.seen[*id].up()).map(|id| view.seen[id].pos);
    let round = |card: Point| i64::from(card.x % 1000 == 0);
    vec![
        ("the eastern card", 1),
        ("the card nearer to the middle", (a.x - 6000).abs() - (b.x - 6000).abs()),
        ("the card at a round place", round(b) - round(a)),
        ("the card farther ahead", (b.y - a.y) * if side == Side::First { 1 } else { -1 }),
        ("the card nearer to the launches", nearer(&mut memory.launches.iter().copied())),
        ("the card nearer to the landings", nearer(&mut memory.landings.iter().copied())),
        ("the card nearer to its own dice", nearer(&mut own(side))),
        ("the card farther from the enemy's dice", -nearer(&mut own(side.other()))),
    ]
}

/// Whether the rules leave both cards of a side open: a scout, a landing or a flight home that fits one card only
/// speaks for it, whatever the habits of its owner.
fn open(view: &View, side: Side, memory: &Memory) -> bool {
    let carrier = &view.seen.carriers[side];
    let scouts = SquadronId::of(side).filter(|id| view.seen[*id].up() && id.is_recce());
    let near = |at: Point, card: Point| {
        let (x, y) = (((at.x - card.x).abs() - 358).max(0), ((at.y - card.y).abs() - 500).max(0));
        x * x + y * y <= 3000 * 3000
    };
    let both = |at: &Point| carrier.cards.iter().flatten().all(|card| near(*at, *card));
    carrier.form == Form::Hidden
        && !memory.flown_home
        && scouts.fold(carrier.may_be_real, |open, id| open & view.seen[id].tied_to) == 3
        && memory.landings.iter().all(both)
}

/// Nobody who sees only what the other side sees can tell the real card from the decoy by habit.
#[test]
fn habits_do_not_tell_which_card_is_real() {
    let game = game("first-strike");
    for (name, level) in [("random", Level(1)), ("recruit", Level(4)), ("greedy", Level(0))] {
        let mut tally: Vec<(&str, u32, u32)> = Vec::new();
        for seed in 0..games(1000) {
            let mut chance = Chance::stream(55, seed);
            let mut state: State = game.setup();
            let mut memory = [Memory::default(), Memory::default()];
            // The last word of each sign while both cards were open, and which card was real.
            let mut said: [(Signs, Option<u8>); 2] = Default::default();
            while state.verdict.is_none() {
                game.step(&mut state, &mut Sampler::new(&mut chance, level)).unwrap();
                if state.phase != Phase::Choose {
                    continue;
                }
                for side in Side::BOTH {
                    let view = game.view(&state, Viewer::Seat(Seat::from(side.other())));
                    let at = side.index();
                    memory[at].look(&view, side);
                    if open(&view, side, &memory[at]) {
                        said[at] = (signs(&view, side, &memory[at]), state.carriers[side].real);
                    }
                }
            }
            for (signs, real) in &said {
                for (sign, says) in signs.iter().filter(|(_, says)| *says != 0) {
                    let right = u32::from((*says > 0) == (*real == Some(1)));
                    match tally.iter_mut().find(|(known, ..)| known == sign) {
                        Some((_, guessed, all)) => (*guessed, *all) = (*guessed + right, *all + 1),
                        None => tally.push((sign, right, 1)),
                    }
                }
            }
        }
        for (sign, right, all) in tally {
            let share = f64::from(right.max(all - right)) / f64::from(all);
            println!("{name}: {sign} was right in {right} of {all}");
            assert!(all < 100 || share <= 0.55, "{name}: {sign} was right in {right} of {all}");
        }
    }
}

/// Aircraft are in the air until the end.
#[test]
fn instinct_flies_in_the_last_turns() {
    for scenario in
        ["first-strike", "pull-back-the-horns", "kamikaze", "coral-sea", "hiryu-alone", "santa-cruz", "philippine-sea"]
    {
        let game = game(scenario);
        let (mut turns, mut empty, mut launches) = (0, 0, 0);
        for seed in 0..games(40) {
            let mut chance = Chance::stream(9, seed);
            let mut state: State = game.setup();
            while state.verdict.is_none() {
                let (turn, before) = (state.turn, state.up(Side::First).and(state.up(Side::Second)));
                game.step(&mut state, &mut Sampler::new(&mut chance, Level(0))).unwrap();
                let after = state.up(Side::First).and(state.up(Side::Second));
                launches += u32::from(turn > 9 && !after.without(before).is_empty());
                if state.turn != turn && turn >= 9 {
                    turns += 1;
                    empty += u32::from(after.is_empty());
                }
            }
        }
        println!("{scenario}: {empty} of {turns} late turns without aircraft, {launches} launches after turn 9");
        assert!(empty * 10 <= turns, "{scenario}: {empty} of {turns} late turns without aircraft");
        assert!(turns < 20 || launches > 0 || scenario == "santa-cruz", "{scenario}: no launch after turn 9");
    }
}
