//! Drawn maps for ground battles: what is drawn is what is played.
//!
//! A cell is a terrain with the units in it: `.` clear, `f` forest, `~` sea; `_` and `F` are the same under Axis
//! control. `a1` is an Axis unit, `b1` an Allied one, `a1+a2` are two, `B3` is an Allied unit in a fortress. A `*`
//! makes a supply hex of the side that holds it; without any, the first and the last column are supply hexes.

use flagplot_kernel::{Answer, Faces, Game, Progress, Question, SeatQuestion, Tape, advance};
use flagplot_world_at_war::game::ground::{GroundState, Set};
use flagplot_world_at_war::game::{State, WorldAtWar};
use flagplot_world_at_war::{System, files};
use serde_json::Value;
use std::fmt::Write as _;

pub struct Field {
    pub game: WorldAtWar,
    pub state: State,
    pub notes: Vec<String>,
    answers: Vec<Answer>,
    question: Option<Question>,
    ids: Vec<String>,
    rows: u8,
}

/// A drawn map with extra lines of the scenario (`rivers = …`), and the units' kinds.
pub fn field_with(drawn: &str, units: &[(&str, &str)], more: &str) -> Field {
    draw(drawn, units, more, &[])
}

/// A drawn map whose scenario file is changed: each text is replaced by another.
pub fn field_where(drawn: &str, units: &[(&str, &str)], changes: &[(&str, &str)]) -> Field {
    draw(drawn, units, "", changes)
}

fn draw(drawn: &str, units: &[(&str, &str)], more: &str, changes: &[(&str, &str)]) -> Field {
    let rows: Vec<Vec<&str>> =
        drawn.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(|row| !row.is_empty()).collect();
    let (mut map, mut axis, mut forts) = (Vec::new(), Vec::new(), Vec::new());
    let (mut places, mut stars): (Vec<(String, String)>, [Vec<String>; 2]) = Default::default();
    let mut edges: [Vec<String>; 2] = Default::default();
    for (r, row) in rows.iter().enumerate() {
        let mut codes = String::new();
        for (c, cell) in row.iter().enumerate() {
            let hex = format!("{:02}{:02}", c + 1, r + 1);
            let bare = cell.trim_end_matches('*');
            let names: Vec<&str> = if bare.len() > 1 { bare.split('+').collect() } else { Vec::new() };
            let own = bare == "_" || bare == "F" || names.iter().any(|name| name.starts_with('a'));
            codes.push(match bare {
                "~" => '~',
                "f" | "F" => 'f',
                _ => '.',
            });
            if own {
                axis.push(hex.clone());
            }
            for name in names {
                if name.starts_with('B') {
                    forts.push(format!("[\"{hex}\", 2]"));
                }
                places.push((name.to_lowercase(), hex.clone()));
            }
            let side = usize::from(!own);
            if cell.ends_with('*') {
                stars[side].push(hex.clone());
            }
            if bare != "~" && c == [0, row.len() - 1][side] {
                edges[side].push(hex.clone());
            }
        }
        map.push(codes);
    }
    let quoted = |hexes: &[String]| hexes.iter().map(|hex| format!("{hex:?}")).collect::<Vec<_>>().join(", ");
    let supply = |side: usize| quoted(if stars.iter().all(Vec::is_empty) { &edges[side] } else { &stars[side] });
    let force = |side: char| {
        let mut out = String::new();
        for (id, kind) in units.iter().filter(|(id, _)| id.starts_with(side)) {
            let nation = match (side, *kind) {
                ('a', "weak") => "rumania",
                ('a', _) => "germany",
                _ => "russia",
            };
            let kind = if *kind == "weak" { "infantry" } else { kind };
            let (_, hex) = places.iter().find(|(name, _)| name == id).expect("a unit on the map");
            let _ = write!(out, "[{id:?}, {nation:?}, {kind:?}, {hex:?}],");
        }
        out
    };
    let extra = |key: &str| if more.contains(key) { String::new() } else { format!("{key} = []\n") };
    let text = format!(
        "[[scenario]]\nid = \"drawn\"\ntype = \"ground-offensive\"\nname = \"Drawn\"\nboard = \"europe\"\nturns = 3\n\
         attacker = \"axis\"\nfirst = \"axis\"\noptions = [\"offensive\", \"attrition\", \"pass\"]\nwinter_turns = []\n\
         map = {map:?}\nnames = {{}}\naxis_hexes = [{}]\naxis_supply = [{}]\nallied_supply = [{}]\n{}{more}\n\
         fortifications = [{}]\n\
         [scenario.levels]\nctl = {{ germany = 1, russia = 1, rumania = 1 }}\n\
         winter_preparation = {{ germany = 0, russia = 0, rumania = 0 }}\n\
         [scenario.air]\naxis = 0\naxis_nation = \"germany\"\nallies = 0\nallies_nation = \"russia\"\n\
         [[scenario.forces]]\nseat = \"axis\"\nunits = [{}]\n[[scenario.forces]]\nseat = \"allies\"\nunits = [{}]\n\
         [scenario.victory]\nper_enemy_counter_eliminated = 1\nair_factors_per_counter = 3\nobjectives = []\n\
         attacker_wins_at_least = 5\ndefender_wins_at_most = -5\n",
        quoted(&axis),
        supply(0),
        supply(1),
        extra("rivers"),
        forts.join(", "),
        force('a'),
        force('b'),
    );
    let text = changes.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{from} is not in the scenario");
        text.replacen(from, to, 1)
    });
    let mut files = files();
    files.lay("scenarios-ground.toml", text);
    // No scenario has units of this kind.
    let garrison = "[[ground]]\nnation = \"russia\"\nkind = \"garrison\"\nfactors = 1\nmovement = 1\n";
    files.lay("units.toml", format!("{garrison}{}", include_str!("../../data/units.toml")));
    let game = System::new(&files).expect("a drawn map").game("drawn", &Value::Null).expect("a game");
    let sides = ['a', 'b'].map(|side| units.iter().filter(move |(id, _)| id.starts_with(side)));
    let ids = sides.into_iter().flatten().map(|(id, _)| (*id).to_owned()).collect();
    let state = game.setup();
    let rows = rows.len() as u8;
    let mut field = Field { game, state, notes: Vec::new(), answers: Vec::new(), question: None, ids, rows };
    field.run();
    field
}

pub fn field(drawn: &str, units: &[(&str, &str)]) -> Field {
    field_with(drawn, units, "")
}

/// Six armor units along a line of three infantry units, none of which can move; `third` is `b3`, or `B3` in a
/// fortress, and `rear` is `b4` or empty, `.`: without it the loss of the line ends the battle.
pub fn two_lines(third: &str, rear: &str) -> Field {
    let armor = ["a1", "a2", "a3", "a4", "a5", "a6"].map(|unit| (unit, "armor"));
    let infantry = ["b1", "b2", "b3", rear].map(|unit| (unit, "infantry"));
    let infantry = if rear == "." { &infantry[..3] } else { &infantry };
    field(&format!("a1+a4 a2+a5 a3+a6\n b1 b2 {third}\n . . {rear}"), &[&armor[..], infantry].concat())
}

impl Field {
    fn run(&mut self) {
        while self.game.outcome(&self.state).is_none() {
            let mut tape = Tape::new(self.answers.clone());
            match advance(&self.game, &self.state, &mut tape).unwrap_or_else(|refusal| panic!("{refusal}")) {
                Progress::Stepped(state) => {
                    self.notes.extend(tape.notes().iter().map(|note| note.text.clone()));
                    self.state = state;
                    self.answers.clear();
                }
                Progress::Asks(question) => {
                    self.question = Some(question);
                    return;
                }
            }
        }
    }

    /// What a player is asked now; nothing if dice are waited for.
    pub fn asked(&self) -> Option<&SeatQuestion> {
        self.question.as_ref().and_then(|question| question.open().first())
    }

    pub fn code(&self) -> &str {
        self.asked().map_or("dice", |asked| asked.prompt.code)
    }

    pub fn answer(&mut self, value: Value) {
        self.answers.push(Answer::Choice(value));
        self.run();
    }

    pub fn dice(&mut self, faces: &[u8]) {
        self.answers.push(Answer::Dice(Faces(faces.to_vec())));
        self.run();
    }

    pub fn ground(&self) -> &GroundState {
        match &self.state {
            State::Ground(state) => state,
            _ => panic!("not a ground battle"),
        }
    }

    /// Changes the battle between two steps.
    pub fn set(&mut self, change: impl FnOnce(&mut GroundState)) {
        if let State::Ground(state) = &mut self.state {
            change(state);
        }
        self.run();
    }

    pub fn at(&self, id: &str) -> usize {
        self.ids.iter().position(|known| known == id).expect("a unit")
    }

    /// Where a unit stands; `gone` if it was eliminated.
    pub fn place(&self, id: &str) -> String {
        let hex = self.ground().units[self.at(id)].hex;
        hex.map_or("gone".into(), |hex| format!("{:02}{:02}", hex / self.rows + 1, hex % self.rows + 1))
    }

    /// The number of a hex in the state.
    pub fn hex(&self, id: &str) -> u8 {
        let part = |range: std::ops::Range<usize>| id[range].parse::<u8>().expect("a number");
        (part(0..2) - 1) * self.rows + part(2..4) - 1
    }

    pub fn air(&mut self, axis: u8, allies: u8) {
        self.set(|state| (state.air.first.ready, state.air.second.ready) = (axis, allies));
    }

    pub fn isolate(&mut self, id: &str) {
        let at = self.at(id);
        self.set(|state| state.units[at].isolation = 1);
    }

    /// The options offered, as their values.
    pub fn options(&self) -> Vec<Value> {
        self.asked().map_or_else(Vec::new, |asked| asked.options.iter().map(|option| option.value.clone()).collect())
    }
}

#[test]
fn members_of_a_set_come_back_in_rising_order() {
    let set: Set = [200, 3, 64, 63, 3].into_iter().collect();
    assert_eq!(set.iter().collect::<Vec<_>>(), [3, 63, 64, 200]);
    assert_eq!((set.len(), set.nth(2), set.contains(65)), (4, Some(64), false));
    let other: Set = [64].into_iter().collect();
    assert!(set.meets(&other) && set.without(&other).len() == 3 && set.and(&other) == other);
}
