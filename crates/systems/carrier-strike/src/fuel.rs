//! The range die at 1: ditching on the way home.

use crate::data::Rules;
use crate::geometry::LENGTH;
use crate::rule;
use flagplot_kernel::{Ask, Note, Rule};
use flagplot_referee::words;

/// What a squadron on its last fuel does.
#[words]
pub enum Homing {
    Land,
    Move,
    None,
}

/// The losses of a squadron on its last fuel, and what it does then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ditching {
    pub lost: u8,
    pub then: Homing,
    /// Whether it counts as having ditched.
    pub ditched: bool,
}

/// What a squadron on its last fuel loses at the start of its action. `distance` to its carrier; none if no carrier is
/// in play. [Running out of fuel], R-47, R-48
pub fn ditching(rules: &Rules, strength: u8, distance: Option<i64>, already: bool) -> (Ditching, &'static [Rule]) {
    let land = rules.ranges.land * LENGTH;
    let all = Ditching { lost: strength, then: Homing::None, ditched: false };
    let lengths = |thousandths: i64| u8::try_from((thousandths.max(0) + LENGTH - 1) / LENGTH).unwrap_or(u8::MAX);
    let (due, then) = match distance {
        None => return (all, &[rule::FUEL, rule::R_47]),
        Some(d) if d <= land && !already => (0, Homing::Land),
        Some(d) if d <= land => (lengths(d), Homing::Land),
        Some(d) if !already => (lengths(d - land), Homing::Move),
        Some(_) => return (all, &[rule::FUEL]),
    };
    let lost = due.min(strength);
    let ditched = then == Homing::Move;
    let then = if lost == strength { Homing::None } else { then };
    (Ditching { lost, then, ditched }, &[rule::FUEL, rule::R_48])
}

/// The same, with a note for whoever may read it.
pub fn noted(ditching: &Ditching, rules: &[Rule], who: &str) -> Note {
    let then = match ditching.then {
        Homing::Land => "comes in to land",
        Homing::Move => "flies home",
        Homing::None => "is gone",
    };
    Note::new(
        "ditching",
        format!(
            "{who} is on its last fuel: {} lost in the sea; it {then}.",
            crate::combat::counted(ditching.lost, "aircraft")
        ),
    )
    .by(rules)
    .outcome(ditching.lost)
}

/// For the referee: notes and gives the losses.
pub fn ditch(rules: &Rules, strength: u8, distance: Option<i64>, already: bool, ask: &mut impl Ask) -> Ditching {
    let (ditching, rules) = ditching(rules, strength, distance, already);
    ask.note(|| noted(&ditching, rules, "The squadron"));
    ditching
}

/// How far from its card a squadron may end a flight made with this range die and still get home, flying straight.
pub fn reach_home(rl: u8) -> i64 {
    (6 * i64::from(rl.saturating_sub(2)) + 3) * LENGTH
}
