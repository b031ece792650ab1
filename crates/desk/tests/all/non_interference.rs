//! Nobody can tell two games apart that differ only in what is not theirs to know, by any byte that leaves the desk.
//!
//! Beside a game run its twins: the same seats, the same dice, the same answers of the watching seat, but the other
//! seat chooses something else wherever the rules keep the choice secret: which card is real, what is armed and
//! launched, where a group slips away to, what is sealed. Which choices are secret is written down here from the rules
//! and not taken from the desk. As long as no event uncovers anything in the watcher's sight, everything that the
//! watching seat and a spectator are told must be the same.
//!
//! A pair is one such comparison. `FLAGPLOT_PAIRS=1000000` makes the long run; without it there are ten thousand, and a
//! few hundred more of Fleet Action, whose games take longer.

use crate::common::{difference, nonsense, open};
use flagplot_catalog::{Budget, Catalog, PlayerKind};
use flagplot_desk::{Desk, DiceSource, Entry};
use flagplot_kernel::{Answer, Chance, Note, Question, Seat, Tape, Viewer};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// So many pairs are compared unless the environment says otherwise.
const PAIRS: usize = 10_000;
/// So many games are played beside each game.
const TWINS: usize = 4;
/// How seldom each of them goes its own way: one in so many choices. Those that seldom do stay alike for longer.
const STRAY: [u32; TWINS] = [2, 4, 12, 24];
/// So many answers at most make a game.
const LONGEST: usize = 240;

/// Events in which hidden facts come to light; after any other both games must look the same.
const UNCOVERS: [&str; 25] = [
    "search-begins",
    "group-detected",
    "dummy-exposed",
    "dummies-meet",
    "decoy-exposed",
    "carrier-detected",
    "exposed-by-guns",
    "fight",
    "step",
    "flak",
    "strike",
    "over-the-target",
    "fuel-spent",
    "disengaged",
    // A World at War: CAP over a group that is struck, what a hit deck carried, and the end of a round.
    "cap",
    "squadrons-lost",
    "recovery",
    "tasks-shown",
    // Fleet Action: a marker that is spotted or deploys, a field that is struck, torpedoes that arrive, a submarine
    // that shows herself.
    "spotting",
    "deploy",
    "minefield",
    "torpedoes",
    "torpedoes-miss",
    "submarine",
    "contact",
];

/// How closely a moment is looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Depth {
    /// What every client is sent.
    Sent,
    /// And what it gets by asking.
    Asked,
    /// And what a search says.
    Searched,
}

type Parts = Vec<(&'static str, String)>;

/// Every byte that leaves the desk for a viewer.
fn leaving(desk: &mut Desk, viewer: Viewer, depth: Depth) -> Parts {
    let picture = desk.picture(viewer, None);
    let settled = desk.settled_log(viewer);
    let shown = serde_json::to_string(&desk.shown(viewer, &picture)).unwrap();
    let can_undo = shown.contains("\"can_undo\":true");
    let mut parts = vec![
        ("situation", shown),
        ("lines", serde_json::to_string(&desk.lines(viewer, 0)).unwrap()),
        ("new lines", serde_json::to_string(&desk.lines(viewer, settled)).unwrap()),
        ("numbers", format!("{settled} {}", desk.entries().len())),
        ("public record", format!("{:?} {:?}", desk.header(), desk.outcome())),
    ];
    let Viewer::Seat(seat) = viewer else { return parts };
    // What is refused changes nothing; an undo that would be taken is tried elsewhere.
    if !can_undo {
        parts.push(("undo", format!("{:?}", desk.undo(seat))));
    }
    let refusals: Vec<_> = nonsense().into_iter().map(|value| desk.answer(seat, value)).collect();
    parts.push(("refusals", format!("{refusals:?} {:?}", desk.type_dice(Vec::new()))));
    parts.push(("explain", json!(desk.explain(seat, None)).to_string()));
    if depth < Depth::Asked {
        return parts;
    }
    parts.push(("whole situation", json!(desk.situation(viewer)).to_string()));
    let options: Vec<Value> = desk
        .question_to(seat)
        .map(|asked| asked.options.iter().map(|option| option.value.clone()).collect())
        .unwrap_or_default();
    for value in options.iter().chain(&plausible()).step_by(1 + options.len() / 8) {
        parts.push(("attempt", format!("{value}: {:?}", attempt(desk, seat, value))));
        parts.push(("odds", json!(desk.explain(seat, Some(value))).to_string()));
    }
    for kind in [PlayerKind::Random, PlayerKind::Greedy, PlayerKind::Recruit] {
        parts.push(("think", format!("{:?}", desk.think(seat, kind, &mut Chance::seeded(9)))));
        let hint = desk.hint(seat, kind, &mut Chance::seeded(10));
        parts
            .push(("hint", format!("{:?}", hint.map(|thought| (thought.value, thought.alternatives, thought.method)))));
    }
    if depth == Depth::Searched {
        let kind = PlayerKind::Search(Budget::Iterations(24));
        let hint = desk.hint(seat, kind, &mut Chance::seeded(11));
        parts.push(("search", format!("{:?}", hint.map(|thought| (thought.value, thought.alternatives)))));
    }
    parts
}

/// Answers that may or may not be legal.
fn plausible() -> Vec<Value> {
    let mut all = vec![
        json!({"action": "pass"}),
        json!({"action": "disengage"}),
        json!({"path": [[6000, 8000]]}),
        json!({"contact": "give-way", "line": [0, 3000]}),
        json!({"strike": "b1"}),
        json!("stay"),
        json!(3),
    ];
    for (own, card, target) in [("b", "blue", "red-a"), ("r", "red", "blue-b")] {
        all.push(json!({"action": "strike", "squadrons": [format!("{own}1")], "path": [[6000, 8000]]}));
        all.push(json!({"action": "detect", "by": format!("{own}r1"), "target": target}));
        all.push(json!({"action": "detect", "by": format!("{card}-cv"), "target": target}));
    }
    all
}

/// What comes of an answer, as far as the seat is told when it tries it: nothing, or why it is refused.
fn attempt(desk: &Desk, seat: Seat, value: &Value) -> Option<String> {
    let answer = match desk.question()? {
        Question::Choice(asked) if asked.seat == seat => Answer::Choice(value.clone()),
        Question::Secret { .. } => Answer::Sealed(BTreeMap::from([(seat, value.clone())])),
        _ => return None,
    };
    let mut tape = Tape::new([desk.answers(), &[answer]].concat());
    desk.game().advance(desk.checkpoint(), &mut tape).err().map(|refusal| format!("{refusal:?}"))
}

/// The names of the notes after a viewer's line number `after`. A search by sonar uncovers only what it finds: that it
/// found nothing must look the same wherever the submarine is. [C-52]
fn noted(desk: &Desk, viewer: Viewer, after: usize) -> BTreeSet<&'static str> {
    let name = |note: Note| if note.what == "sonar" && note.outcome == "contact" { "contact" } else { note.what };
    desk.log(viewer, after).into_iter().map(|line| name(line.note)).collect()
}

/// Facts about a seat's own pieces, as its own picture shows them.
struct Own(Vec<(String, Vec<String>)>);

impl Own {
    fn of(desk: &Desk, seat: Seat) -> Self {
        let pieces = desk.situation(Viewer::Seat(seat)).scene.pieces;
        let own = pieces.into_iter().filter(|piece| piece.side == Some(seat.side()));
        Self(own.map(|piece| (piece.id, [piece.states, vec![piece.kind]].concat())).collect())
    }

    fn is(&self, id: &str, state: &str) -> bool {
        self.0.iter().any(|(piece, states)| piece == id && states.iter().any(|known| known == state))
    }

    /// The real card.
    fn real(&self) -> Option<&str> {
        let cards = || self.0.iter().filter(|(_, states)| states.iter().any(|state| state == "card"));
        let real = cards().find(|(_, states)| states.iter().any(|state| state == "real"));
        real.or_else(|| cards().find(|(_, states)| states.iter().all(|state| state != "hidden")))
            .map(|(id, _)| id.as_str())
    }

    /// The card that a flight home is seen to lead to.
    fn flies_to<'a>(&'a self, answer: &'a Value) -> Option<&'a str> {
        let dummy = answer["squadron"].as_str().is_some_and(|id| self.is(id, "dummy"));
        if dummy { answer["card"].as_str() } else { self.real() }
    }
}

/// What the true answer of the other seat looks like from outside, as far as the answer itself does not say.
#[derive(Clone, Default)]
struct Face {
    /// The question.
    code: &'static str,
    /// The card that a flight home leads to.
    card: Option<String>,
}

impl Face {
    fn of(desk: &Desk, seat: Seat, answer: &Value) -> Self {
        let code = desk.question_to(seat).map_or("", |asked| asked.prompt.code);
        let card = match answer["action"].as_str() {
            Some("fly-home") => Own::of(desk, seat).flies_to(answer).map(str::to_owned),
            _ => None,
        };
        Self { code, card }
    }
}

/// What the other seat could do in another world that looks the same from outside. In Carrier Strike nobody else sees
/// which card is real, how squadrons are armed, what deck work is done, whether a launched die is a dummy, and with
/// which card a group slips away.
fn alike(face: &Face, twin: &Desk, seat: Seat, answer: &Value, chance: &mut Chance) -> Vec<Value> {
    let mut other = answer.clone();
    match (face.code, answer["action"].as_str()) {
        ("setup-cards", _) if !answer["decoy"].is_null() => {
            (other["real"], other["decoy"]) = (answer["decoy"].clone(), answer["real"].clone());
            vec![other]
        }
        ("setup-roles", _) => (0..3).filter_map(|_| twin.think(seat, PlayerKind::Random, chance)).collect(),
        (_, Some("launch")) => {
            other["dummy"] = json!(answer["dummy"] != json!(true));
            vec![other]
        }
        (_, Some("move-cv")) if !answer["evade"].is_null() => {
            let evade = &mut other["evade"];
            (evade["real"], evade["decoy"]) = (answer["evade"]["decoy"].clone(), answer["evade"]["real"].clone());
            for rides in evade["riders"].as_object_mut().into_iter().flat_map(|riders| riders.values_mut()) {
                *rides = json!(if *rides == json!("real") { "decoy" } else { "real" });
            }
            vec![other]
        }
        (_, Some("refuel" | "re-arm")) => {
            let mut work: Vec<Value> = twin
                .question_to(seat)
                .into_iter()
                .flat_map(|asked| &asked.options)
                .map(|option| option.value.clone())
                .filter(|value| matches!(value["action"].as_str(), Some("refuel" | "re-arm")))
                .collect();
            chance.shuffle(&mut work);
            work
        }
        (_, Some("fly-home")) => {
            let here = Own::of(twin, seat);
            let mut with_card = other.clone();
            with_card["card"] = json!(face.card);
            [other, with_card].into_iter().filter(|value| here.flies_to(value) == face.card.as_deref()).collect()
        }
        _ => Vec::new(),
    }
}

/// The tasks of squadrons that look the same from outside in A World at War: between CAP and strike a group may share
/// them out as it likes, while a reserve, which the search announces, stays as it is.
fn tasked(answer: &Value, chance: &mut Chance) -> Vec<Value> {
    let numbers = |value: &Value, key: &str| value[key].as_u64().unwrap_or(0) as u32;
    let keys = answer.as_object().into_iter().flat_map(|tasks| tasks.keys());
    let homes: BTreeSet<&str> = keys.filter_map(|key| key.strip_suffix(".cap")).collect();
    let mut other = || {
        let mut other = answer.clone();
        for home in &homes {
            let (cap, strike) = (format!("{home}.cap"), format!("{home}.strike"));
            let flying = numbers(answer, &cap) + numbers(answer, &strike);
            let patrol = chance.below(flying + 1);
            (other[&cap], other[&strike]) = (json!(patrol), json!(flying - patrol));
        }
        other
    };
    (0..6).map(|_| other()).collect()
}

/// Sheets that look the same from outside in Fleet Action: any placing before the battle [C-40, C-52], a submarine that
/// stays below on another course [C-52], the same launches at another ship or with another setting [C-38].
fn sheets(code: &str, twin: &Desk, seat: Seat, answer: &Value, chance: &mut Chance) -> Vec<Value> {
    let mut random = || twin.think(seat, PlayerKind::Random, chance);
    match code {
        "set-up" => (0..4).filter_map(|_| random()).collect(),
        "dive" => {
            let below = |entry: &Value| entry["depth"] != json!("surfaced") && entry["torpedoes"].is_null();
            let courses = (0..4).filter_map(|_| random()).filter_map(|other| {
                let entries = answer.as_array()?.iter().map(|entry| {
                    let another = other.as_array()?.iter().find(|another| another["ship"] == entry["ship"])?;
                    (below(entry) && below(another)).then(|| another.clone())
                });
                entries.collect::<Option<Vec<Value>>>().map(Value::Array)
            });
            courses.collect()
        }
        "torpedoes" => {
            let pieces = twin.situation(Viewer::Seat(seat)).scene.pieces;
            let enemies: Vec<String> = pieces
                .into_iter()
                .filter(|piece| piece.side.is_some_and(|side| side != seat.side()))
                .map(|piece| piece.id)
                .collect();
            let mut aimed_anew = || {
                let mut other = answer.clone();
                for entry in other.as_array_mut().into_iter().flatten().filter(|entry| !entry["target"].is_null()) {
                    if let Some(enemy) = chance.pick(&enemies) {
                        entry["target"] = json!(enemy);
                    }
                    entry["setting"] = json!(chance.below(3));
                }
                other
            };
            (0..12).map(|_| aimed_anew()).filter(|other| other != answer).collect()
        }
        _ => Vec::new(),
    }
}

/// What the other seat does in a twin where the true game has `value`; none if it could not have done anything like it.
/// One time in `stray` that is something else that looks the same, if there is any.
fn give(face: &Face, twin: &mut Desk, seat: Seat, value: &Value, stray: u32, chance: &mut Chance) -> Option<Value> {
    let mut tries = match twin.question() {
        _ if twin.header().system == "fleet-action" => sheets(face.code, twin, seat, value, chance),
        Some(Question::Choice(_)) => alike(face, twin, seat, value, chance),
        Some(Question::Secret { .. }) if face.code == "tasking" => tasked(value, chance),
        _ => Vec::new(),
    };
    if value["action"] != json!("fly-home") {
        let at = if chance.below(stray) == 0 { tries.len() } else { 0 };
        tries.insert(at, value.clone());
    }
    tries.into_iter().find(|value| twin.answer(seat, value.clone()).is_ok())
}

/// What was compared.
#[derive(Default)]
struct Seen {
    pairs: usize,
    sealed: usize,
    taken_back: usize,
    later: usize,
    imagined: usize,
    /// Imagined worlds in which a sealed answer of another seat is impossible.
    unfit: usize,
    replayed: usize,
    uncovered: usize,
    codes: BTreeMap<String, usize>,
}

/// A game, its twins, and who looks on.
struct Lockstep<'a> {
    catalog: &'a Catalog,
    name: String,
    seed: u64,
    watcher: Seat,
    viewers: [Viewer; 2],
    truth: Desk,
    twins: Vec<Desk>,
    chance: Chance,
    /// What each true answer looks like, by its number in the record.
    faces: BTreeMap<usize, Face>,
    seen: Seen,
}

impl<'a> Lockstep<'a> {
    fn new(catalog: &'a Catalog, system: &str, scenario: &str, seed: u64) -> Self {
        let game = catalog.system(system).unwrap().game(scenario, &Value::Null).unwrap();
        let desk = || open(catalog, system, scenario, &game, DiceSource::Seeded(seed));
        let watcher = Seat((seed % 2) as u8);
        Self {
            catalog,
            name: format!("{system} {scenario}, seed {seed}"),
            seed,
            watcher,
            viewers: [Viewer::Seat(watcher), Viewer::Spectator],
            truth: desk(),
            twins: (0..TWINS).map(|_| desk()).collect(),
            chance: Chance::seeded(seed),
            faces: BTreeMap::new(),
            seen: Seen::default(),
        }
    }

    fn depth(&mut self) -> Depth {
        match self.chance.below(200) {
            0 => Depth::Searched,
            1..=16 => Depth::Asked,
            _ => Depth::Sent,
        }
    }

    /// Compares what leaves the desks. A twin that differs after something was uncovered is a twin no more.
    fn compare(&mut self, when: &str, uncovered: &[bool], sealed_differ: bool) {
        let depth = self.depth();
        let state = self.truth.checkpoint().bytes();
        let differs: Vec<bool> =
            self.twins.iter().map(|twin| sealed_differ || twin.checkpoint().bytes() != state).collect();
        // A twin that is the same game tells nothing, unless something was uncovered: then its log may differ, and it
        // is no twin for what is replayed.
        let looked_at: Vec<bool> = differs.iter().zip(uncovered).map(|(differs, told)| *differs || *told).collect();
        if !looked_at.contains(&true) {
            return;
        }
        let mut same = vec![true; self.twins.len()];
        for viewer in self.viewers {
            let truth = leaving(&mut self.truth, viewer, depth);
            for (n, twin) in self.twins.iter_mut().enumerate().filter(|(n, _)| looked_at[*n]) {
                let there = leaving(twin, viewer, depth);
                if let Some((part, other)) = truth.iter().zip(&there).find(|(one, other)| one != other) {
                    assert!(
                        uncovered[n],
                        "{}: {viewer:?} can tell two games apart by '{}', {when}, and nothing was uncovered\n{}",
                        self.name,
                        part.0,
                        difference(&part.1, &other.1)
                    );
                    same[n] = false;
                } else {
                    assert_eq!(truth.len(), there.len(), "{}: {viewer:?}, {when}", self.name);
                    self.seen.pairs += usize::from(differs[n]);
                    self.seen.sealed += usize::from(sealed_differ);
                }
            }
        }
        self.seen.uncovered += same.iter().filter(|same| !**same).count();
        let mut same = same.into_iter();
        self.twins.retain(|_| same.next().unwrap());
    }

    /// One time in `some`, and more seldom in a long game: taking back plays it again.
    fn one_in(&mut self, some: u32) -> bool {
        self.chance.below(some + some * self.truth.entries().len() as u32 / 16) == 0
    }

    fn nothing_uncovered(&self) -> Vec<bool> {
        vec![false; self.twins.len()]
    }

    /// Each seal of the other seat's answer, while the watcher's own is still due, and its taking back.
    fn seal_and_unseal(&mut self, other: Seat) {
        let Some(value) = self.truth.think(other, PlayerKind::Random, &mut self.chance) else { return };
        let mut sealed = BTreeSet::from([value.to_string()]);
        for twin in &mut self.twins {
            let another = (0..8)
                .filter_map(|_| twin.think(other, PlayerKind::Random, &mut self.chance))
                .find(|another| *another != value)
                .unwrap_or_else(|| value.clone());
            sealed.insert(another.to_string());
            twin.answer(other, another).unwrap();
        }
        self.truth.answer(other, value).unwrap();
        if sealed.len() > 1 {
            self.compare("with a sealed answer", &self.nothing_uncovered(), true);
        }
        for desk in self.twins.iter_mut().chain([&mut self.truth]) {
            desk.undo(other).expect("what is sealed may be taken back");
        }
        self.compare("with a sealed answer taken back", &self.nothing_uncovered(), false);
    }

    /// One answer in all games. False if it is over.
    fn step(&mut self) -> bool {
        let Some(question) = self.truth.question().cloned() else { return false };
        let open: Vec<Seat> = question.open().iter().map(|asked| asked.seat).collect();
        let Some(&seat) = self.chance.pick(&open) else { return false };
        if matches!(question, Question::Secret { .. })
            && let Some(other) = open.iter().find(|seat| **seat != self.watcher)
            && open.contains(&self.watcher)
            && (self.truth.game().open() || self.one_in(1))
        {
            self.seal_and_unseal(*other);
        }
        let kind = if self.chance.below(3) == 0 { PlayerKind::Random } else { PlayerKind::Greedy };
        let Some(value) = self.truth.think(seat, kind, &mut self.chance) else { return false };
        let face = Face::of(&self.truth, seat, &value);
        self.faces.insert(self.truth.entries().len(), face.clone());
        let lines = self.viewers.map(|viewer| self.truth.settled_log(viewer));
        let mut gone = Vec::new();
        let mut given = Vec::new();
        for (n, twin) in self.twins.iter_mut().enumerate() {
            let done = if seat == self.watcher {
                twin.answer(seat, value.clone()).ok().map(|()| value.clone())
            } else {
                give(&face, twin, seat, &value, STRAY[n % TWINS], &mut self.chance)
            };
            assert!(
                seat != self.watcher || done.is_some(),
                "{}: {value} is legal in one game and not in the other: {:?}",
                self.name,
                twin.answer(seat, value.clone())
            );
            if done.is_none() {
                gone.push(n); // The other side could not have done anything like it there.
            }
            given.push(done.unwrap_or_default());
        }
        self.truth.answer(seat, value.clone()).expect("a player's answer is legal");
        // Whether a launch needs a Crew Test is public, and hangs on the ship that is aimed at. [C-38]
        if face.code == "torpedoes" {
            let rolled = self.truth.entries().len();
            let tested = |(n, twin): (usize, &Desk)| (twin.entries().len() != rolled).then_some(n);
            gone.extend(self.twins.iter().enumerate().filter_map(tested));
        }
        gone.sort_unstable();
        gone.dedup();
        for n in gone.into_iter().rev() {
            self.twins.remove(n);
            given.remove(n);
        }
        *self.seen.codes.entry(face.code.to_owned()).or_default() += self.twins.len();
        let viewers = self.viewers;
        let told = |desk: &Desk| {
            desk.is_over()
                || viewers
                    .iter()
                    .zip(lines)
                    .any(|(viewer, after)| noted(desk, *viewer, after).into_iter().any(|what| UNCOVERS.contains(&what)))
        };
        let true_told = told(&self.truth);
        let uncovered: Vec<bool> = self.twins.iter().map(|twin| true_told || told(twin)).collect();
        let twins = self.twins.len();
        let events = noted(&self.truth, viewers[0], lines[0]);
        self.compare(&format!("after {value}, which was told as {events:?}"), &uncovered, false);
        if twins == self.twins.len() {
            self.take_back(seat, &value, &given);
        }
        !self.truth.is_over()
    }

    /// Now and then an answer is taken back and given again.
    fn take_back(&mut self, seat: Seat, value: &Value, given: &[Value]) {
        let can = |desk: &Desk| desk.situation(Viewer::Seat(seat)).can_undo;
        if self.twins.is_empty() || !self.one_in(8) || !can(&self.truth) || !self.twins.iter().all(can) {
            return;
        }
        for desk in self.twins.iter_mut().chain([&mut self.truth]) {
            desk.undo(seat).expect("what is offered is granted");
        }
        self.compare(&format!("with {value} taken back"), &self.nothing_uncovered(), false);
        for (desk, value) in self.twins.iter_mut().zip(given).chain([(&mut self.truth, value)]) {
            desk.answer(seat, value.clone()).expect("it was legal before");
        }
        self.compare(&format!("with {value} given again"), &self.nothing_uncovered(), false);
        self.seen.taken_back += self.twins.len();
    }

    /// Plays the game again from its beginning as a new twin. What was uncovered since may tell it from the truth; then
    /// it is left aside.
    fn another_twin(&mut self) {
        let (system, scenario) = (&self.truth.header().system, &self.truth.header().scenario);
        let mut twin = open(self.catalog, system, scenario, self.truth.game(), DiceSource::Seeded(self.seed));
        let unknown = Face::default();
        for (n, entry) in self.truth.entries().iter().enumerate() {
            let done = match entry {
                Entry::Answer { seat, value } if *seat == self.watcher => twin.answer(*seat, value.clone()).ok(),
                Entry::Answer { seat, value } => {
                    give(self.faces.get(&n).unwrap_or(&unknown), &mut twin, *seat, value, 6, &mut self.chance)
                        .map(|_| ())
                }
                Entry::Undo { .. } => twin.apply(entry.clone()).ok(),
                _ => continue, // Dice are rolled by the desks themselves.
            };
            if done.is_none() {
                return;
            }
        }
        let same = |viewer| leaving(&mut twin, viewer, Depth::Sent) == leaving(&mut self.truth, viewer, Depth::Sent);
        if self.viewers.into_iter().all(same) && twin.checkpoint().bytes() != self.truth.checkpoint().bytes() {
            self.seen.later += 1;
            self.twins.push(twin);
        }
    }

    /// The game in a world that a viewer imagines: the same record and log, another checkpoint.
    fn imagine(&mut self) {
        let Ok(Some(snapshot)) = self.truth.snapshot() else { return };
        let record = self.truth.record(true);
        for viewer in self.viewers {
            let world = self.truth.game().imagine(self.truth.checkpoint(), viewer, &mut self.chance);
            let mut other: Value = serde_json::from_str(&snapshot).unwrap();
            other["state"] = serde_json::from_slice(&world.bytes()).unwrap();
            let Some(mut dream) = Desk::resume_from(self.catalog, &record, &other.to_string()) else {
                // A sealed answer hangs on its giver's own secrets; where those are others, it may be impossible.
                let hidden = (0..2).any(|n| !viewer.sees(Seat(n)) && !other["sealed"][n.to_string()].is_null());
                assert!(hidden, "{}: what {viewer:?} imagines does not fit the record", self.name);
                self.seen.unfit += 1;
                continue;
            };
            let (truth, dream) =
                (leaving(&mut self.truth, viewer, Depth::Asked), leaving(&mut dream, viewer, Depth::Asked));
            if let Some((part, other)) = truth.iter().zip(&dream).find(|(one, other)| one != other) {
                let difference = difference(&part.1, &other.1);
                panic!("{}: {viewer:?} can tell an imagined world by '{}'\n{difference}", self.name, part.0);
            }
            self.seen.imagined += 1;
            self.seen.pairs += 1;
        }
    }

    /// Any earlier moment of both games, as it is replayed.
    fn replay(&mut self) {
        let entries = self.truth.entries().len() as u32;
        if self.truth.is_over() {
            return;
        }
        let upto = self.chance.below(entries + 1) as usize;
        let mut truth = self.truth.record(false).replay(self.catalog, Some(upto)).unwrap();
        for twin in &self.twins {
            let mut twin = twin.record(false).replay(self.catalog, Some(upto)).unwrap();
            for viewer in self.viewers {
                let (one, other) = (leaving(&mut truth, viewer, Depth::Sent), leaving(&mut twin, viewer, Depth::Sent));
                if let Some((part, other)) = one.iter().zip(&other).find(|(one, other)| one != other) {
                    let difference = difference(&part.1, &other.1);
                    panic!("{}: {viewer:?} can tell a replay up to {upto} by '{}'\n{difference}", self.name, part.0);
                }
                self.seen.replayed += 1;
                self.seen.pairs += 1;
            }
        }
    }

    fn play(mut self) -> Seen {
        for n in 0..LONGEST {
            if !self.step() {
                break;
            }
            if self.truth.game().open() {
                continue;
            }
            if n % 30 == 25 {
                self.imagine();
                self.replay();
            }
            if self.twins.len() < 2 && n % 12 == 11 {
                self.another_twin();
            }
        }
        self.seen
    }
}

fn wanted() -> usize {
    std::env::var("FLAGPLOT_PAIRS").ok().and_then(|number| number.parse().ok()).unwrap_or(PAIRS)
}

/// The games of some systems for two.
fn all_of(catalog: &Catalog, systems: &[&'static str]) -> Vec<(&'static str, String)> {
    systems
        .iter()
        .flat_map(|id| catalog.system(id).unwrap().scenarios().into_iter().map(|scenario| (*id, scenario)))
        .filter(|(_, scenario)| scenario.seats.len() == 2)
        .map(|(id, scenario)| (id, scenario.id))
        .collect()
}

/// Plays these games until the wanted number of pairs has been compared.
fn run(catalog: &Catalog, scenarios: &[(&str, String)], pairs: usize) -> Seen {
    let (next, done, all) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Seen::default()));
    let worker = || {
        while done.load(Relaxed) < pairs {
            let n = next.fetch_add(1, Relaxed);
            let (system, scenario) = &scenarios[n / 2 % scenarios.len()];
            let seen = Lockstep::new(catalog, system, scenario, n as u64).play();
            let before = done.fetch_add(seen.pairs, Relaxed);
            if before / 100_000 != (before + seen.pairs) / 100_000 {
                eprintln!("{} pairs", before + seen.pairs);
            }
            let mut all = all.lock().unwrap();
            all.pairs += seen.pairs;
            all.sealed += seen.sealed;
            all.taken_back += seen.taken_back;
            all.later += seen.later;
            all.imagined += seen.imagined;
            all.unfit += seen.unfit;
            all.replayed += seen.replayed;
            all.uncovered += seen.uncovered;
            for (code, count) in seen.codes {
                *all.codes.entry(code).or_default() += count;
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(worker))));
    all.into_inner().unwrap()
}

#[test]
fn two_games_that_differ_in_a_secret_leave_the_desk_as_the_same_bytes() {
    let catalog = Catalog::built_in();
    let seen = run(&catalog, &all_of(&catalog, &["carrier-strike"]), wanted() * 8 / 10);
    eprintln!(
        "{} pairs, {} with sealed answers, {} taken back, {} imagined, {} replayed; {} later twins, {} twins told \
         apart; {:?}",
        seen.pairs, seen.sealed, seen.taken_back, seen.imagined, seen.replayed, seen.later, seen.uncovered, seen.codes
    );
    for (what, number) in [
        ("sealed answers", seen.sealed),
        ("answers taken back", seen.taken_back),
        ("imagined worlds", seen.imagined),
        ("replays", seen.replayed),
        ("twins that were told apart", seen.uncovered),
    ] {
        assert!(number > 20, "too few {what}: {number}");
    }
}

#[test]
fn a_sealed_answer_leaves_the_desk_for_nobody() {
    let catalog = Catalog::built_in();
    let seen = run(&catalog, &all_of(&catalog, &["schiffskrieg", "dogfite"]), wanted() / 10);
    eprintln!("{} pairs", seen.pairs);
    assert!(seen.sealed * 2 >= wanted() / 10, "too few sealed answers: {}", seen.sealed);
}

/// Only tasks outlive their question in A World at War, and only where both sides have carriers. [C-24]
#[test]
fn tasks_leave_the_desk_for_their_owner_alone() {
    let battles = ["coral-sea-1942", "midway-1942"].map(|battle| ("world-at-war", battle.to_owned()));
    let seen = run(&Catalog::built_in(), &battles, wanted() / 10);
    eprintln!(
        "{} pairs, {} sealed, {} imagined, {} unfit; {:?}",
        seen.pairs, seen.sealed, seen.imagined, seen.unfit, seen.codes
    );
    for (what, number) in [
        ("pairs that differ in a task", seen.pairs - seen.sealed),
        ("sealed answers", seen.sealed),
        ("twins that were told apart", seen.uncovered),
        ("imagined worlds that fit", seen.imagined),
        ("tasks", seen.codes.get("tasking").copied().unwrap_or(0)),
        ("launches", seen.codes.get("launch").copied().unwrap_or(0)),
    ] {
        assert!(number > 20, "too few {what}: {number}");
    }
}

/// What a marker holds, the aim of running torpedoes and submarines under water outlive their question in Fleet Action.
/// [C-38, C-40, C-52]
#[test]
fn markers_aims_and_submarines_leave_the_desk_for_their_owner_alone() {
    let battles =
        ["savo-island", "blackett-strait", "i-168", "samar"].map(|battle| ("fleet-action", battle.to_owned()));
    let catalog = Catalog::built_in();
    // A game that once told which of two groups lay on a marker: found after 50,000 pairs.
    Lockstep::new(&catalog, "fleet-action", "savo-island", 56).play();
    // One in which sonar finds the submarine in the true game and not in its twin.
    Lockstep::new(&catalog, "fleet-action", "i-168", 93).play();
    let seen = run(&catalog, &battles, wanted() / 20);
    eprintln!(
        "{} pairs, {} sealed, {} imagined, {} told apart; {:?}",
        seen.pairs, seen.sealed, seen.imagined, seen.uncovered, seen.codes
    );
    for (what, number) in [
        ("pairs that differ in a secret", seen.pairs - seen.sealed),
        ("sealed answers", seen.sealed),
        ("imagined worlds", seen.imagined),
        ("twins that were told apart", seen.uncovered),
        ("torpedo sheets", seen.codes.get("torpedoes").copied().unwrap_or(0)),
        ("dives", seen.codes.get("dive").copied().unwrap_or(0)),
    ] {
        assert!(number > 3, "too few {what}: {number}");
    }
}
