//! What the computer's habits give away, and whether it keeps its aircraft busy.

use flagplot_carrier_strike::game::{Carrier, Form, Phase, SquadronId, State, View};
use flagplot_carrier_strike::{CarrierGame, System, files};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{AtRandom, Chance, Choice, Game, Policy, Sampler, Seat, Side, Viewer};
use flagplot_players::{Clock, PlayerKind, Settings, contest_by, search};
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

/// What each sign said last while both cards were open, and whether the second card was real.
type Case = (Signs, bool);

/// What both sides gave away in a game that reveals itself view by view.
#[derive(Default)]
struct Watch {
    memory: [Memory; 2],
    said: [Signs; 2],
    /// The real card of each side, as its owner knows it.
    real: [Option<u8>; 2],
}

impl Watch {
    /// What the owner knows; a group that is no longer hidden has one card, always the first.
    fn know(&mut self, carrier: &Carrier, side: Side) {
        if carrier.form == Form::Hidden {
            self.real[side.index()] = carrier.real;
        }
    }

    /// Looks at a side through the other's view.
    fn look(&mut self, view: &View, side: Side) {
        let at = side.index();
        self.memory[at].look(view, side);
        if open(view, side, &self.memory[at]) {
            self.said[at] = signs(view, side, &self.memory[at]);
        }
    }

    fn cases(self) -> impl Iterator<Item = Case> {
        let told = self.said.into_iter().zip(self.real).filter(|(said, real)| !said.is_empty() && real.is_some());
        told.map(|(said, real)| (said, real == Some(1)))
    }
}

fn right(says: i64, second: bool) -> bool {
    (says > 0) == second
}

/// How often each sign was right, of so many cases in which it said anything.
fn tally(cases: &[Case]) -> Vec<(&'static str, u32, u32)> {
    let mut tally: Vec<(&str, u32, u32)> = Vec::new();
    for (signs, second) in cases {
        for (sign, says) in signs.iter().filter(|(_, says)| *says != 0) {
            let right = u32::from(right(*says, *second));
            match tally.iter_mut().find(|(known, ..)| known == sign) {
                Some((_, guessed, all)) => (*guessed, *all) = (*guessed + right, *all + 1),
                None => tally.push((sign, right, 1)),
            }
        }
    }
    tally
}

/// All signs together: each weighs what it proved to be worth in every second case; how many of the others are guessed
/// by that.
fn together(cases: &[Case]) -> (u32, u32) {
    let every_second = |from: usize| cases.iter().skip(from).step_by(2).cloned().collect::<Vec<Case>>();
    let learned = tally(&every_second(0));
    let weight = |sign: &str| {
        let known = learned.iter().find(|(known, ..)| *known == sign);
        known.map_or(0.0, |(_, right, all)| (f64::from(right + 1) / f64::from(all - right + 1)).ln())
    };
    let (mut guessed, mut all) = (0, 0);
    for (signs, second) in every_second(1) {
        let sum: f64 = signs.iter().map(|(sign, says)| weight(sign) * says.signum() as f64).sum();
        if sum != 0.0 {
            (guessed, all) = (guessed + u32::from((sum > 0.0) == second), all + 1);
        }
    }
    (guessed, all)
}

/// No sign is right in more than 55 of 100 cases; where the cases are few, two standard errors are allowed beyond that.
fn judge(name: &str, cases: &[Case]) {
    let (guessed, of) = together(cases);
    let mut found = tally(cases);
    found.push(("all signs together", guessed, of));
    for (sign, right, all) in found {
        let n = f64::from(all.max(1));
        // A single sign may be read either way; the signs together have learned how to read them.
        let right = if sign == "all signs together" { right } else { right.max(all - right) };
        println!("{name}: {sign} was right in {right} of {all}");
        let allowed = 0.55 + if all < 800 { 1.0 / n.sqrt() } else { 0.0 };
        assert!(f64::from(right) / n <= allowed, "{name}: {sign} was right in {right} of {all}");
    }
}

/// The scenarios in which both carriers are hidden behind two cards.
const HIDDEN: [&str; 2] = ["first-strike", "coral-sea"];

/// Nobody who sees only what the other side sees can tell the real card from the decoy by habit.
#[test]
fn habits_do_not_tell_which_card_is_real() {
    for scenario in HIDDEN {
        let game = game(scenario);
        for (name, level) in [("random", Level(1)), ("recruit", Level(4)), ("greedy", Level(0))] {
            let mut cases: Vec<Case> = Vec::new();
            for seed in 0..games(1000) {
                let mut chance = Chance::stream(55, seed);
                let mut state: State = game.setup();
                let mut watch = Watch::default();
                while state.verdict.is_none() {
                    game.step(&mut state, &mut Sampler::new(&mut chance, level)).unwrap();
                    if state.phase != Phase::Choose {
                        continue;
                    }
                    for side in Side::BOTH {
                        watch.know(&state.carriers[side], side);
                        watch.look(&game.view(&state, Viewer::Seat(Seat::from(side.other()))), side);
                    }
                }
                cases.extend(watch.cases());
            }
            judge(&format!("{scenario}, {name}"), &cases);
        }
    }
}

/// The same for players who think ahead, each from its own view. They need a quarter of a second and more for an
/// answer:
/// `FLAGPLOT_LEVELS=200` plays 200 games of each with its full time; a run of the tests takes a few with less thought.
#[test]
fn the_habits_of_those_who_think_ahead_do_not_tell_either() {
    let long: Option<u64> = std::env::var("FLAGPLOT_LEVELS").ok().and_then(|games| games.parse().ok());
    let levels: &[&str] = if long.is_some() { &["officer", "admiral"] } else { &["search:10"] };
    for (scenario, level) in HIDDEN.into_iter().flat_map(|scenario| levels.iter().map(move |level| (scenario, *level)))
    {
        let game = game(scenario);
        let player: PlayerKind = level.parse().unwrap();
        let settings = Settings::new(player.budget().unwrap()).on_one_core().by(Clock::Processor);
        let mut cases: Vec<Case> = Vec::new();
        for seed in 0..long.unwrap_or(4) {
            let mut watch = Watch::default();
            let played = contest_by(&game, &mut Chance::stream(56, seed), |knowledge, _, mind| {
                let (view, side) = (knowledge.view(), knowledge.side());
                watch.know(&view.seen.carriers[side], side);
                watch.look(view, side.other());
                search(knowledge, &settings, mind)
            });
            assert!(played.outcome.is_some(), "{scenario}, {level}: game {seed} ends");
            cases.extend(watch.cases());
        }
        judge(&format!("{scenario}, {level}"), &cases);
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
