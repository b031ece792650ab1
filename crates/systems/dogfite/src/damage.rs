//! Hits, boxes and sets. (Damage)

use crate::rule;
use crate::who::Who;
use crate::words::counted;
use flagplot_kernel::{Ask, Asked, D6, Effect, Note, Refusal};
use flagplot_referee::Shaped;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The most sets and the most boxes a log sheet may have.
const MOST_SETS: usize = 8;
const MOST_BOXES: usize = 64;

/// The first bit of every box.
const FIRST_BITS: u128 = u128::MAX / 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Clean,
    Single,
    Double,
    Burnt,
}

const MARKS: [Mark; 4] = [Mark::Clean, Mark::Single, Mark::Double, Mark::Burnt];
const SIGNS: [char; 4] = ['.', '/', 'X', '#'];

/// The damage boxes of an aircraft, set by set. As JSON a list of texts of `.`, `/`, `X` and `#`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Shaped)]
#[shape(with = Vec::<String>::shape(), items = 1..=8, chars = 64)]
pub struct Boxes {
    /// Two bits for each box, the first box lowest.
    marks: u128,
    lengths: [u8; MOST_SETS],
}

impl std::fmt::Debug for Boxes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.texts()).finish()
    }
}

/// What the damage does to the aircraft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Wear {
    /// Sets with every box marked, not all of them doubly.
    #[shape(0..=8)]
    pub single_filled: i32,
    /// Sets with every box doubly marked or burnt.
    #[shape(0..=8)]
    pub double_filled: i32,
    /// What that takes off stress tests.
    #[shape(-16..=0)]
    pub stress_modifier: i32,
    /// What that takes off the maximum dive speed.
    #[shape(0..=8)]
    pub max_dive_reduction: i32,
    /// The level from which a bet causes a stress test.
    #[shape(-1..=3)]
    pub stress_bet_level: i32,
}

impl Boxes {
    pub fn clean(sets: u8, per_set: u8) -> Boxes {
        let mut lengths = [0; MOST_SETS];
        for length in lengths.iter_mut().take(usize::from(sets)) {
            *length = per_set.min((MOST_BOXES / MOST_SETS) as u8);
        }
        Boxes { marks: 0, lengths }
    }

    /// Boxes from their signs; says what is wrong with them.
    pub fn parse<S: AsRef<str>>(sets: &[S]) -> Result<Boxes, Refusal> {
        let refuse = |code, text: String| Err(Refusal::new(code, text).by(rule::DAMAGE));
        if sets.is_empty() {
            return refuse("wrong-type", "An aircraft has at least one set of boxes.".into());
        }
        let total: usize = sets.iter().map(|set| set.as_ref().chars().count()).sum();
        if sets.len() > MOST_SETS || total > MOST_BOXES {
            let text = format!("An aircraft has at most {MOST_SETS} sets and {MOST_BOXES} boxes.");
            return refuse("out-of-range", text);
        }
        let mut boxes = Boxes { marks: 0, lengths: [0; MOST_SETS] };
        let mut at = 0;
        for (set, length) in sets.iter().zip(&mut boxes.lengths) {
            let text = set.as_ref();
            if text.is_empty() {
                return refuse("wrong-type", "A set has at least one box.".into());
            }
            for sign in text.chars() {
                let Some(mark) = SIGNS.iter().position(|known| *known == sign) else {
                    let text = format!("'{}' is not a box: boxes are . / X and #.", sign.escape_default());
                    return refuse("wrong-type", text);
                };
                boxes.marks |= (mark as u128) << (2 * at);
                at += 1;
                *length += 1;
            }
        }
        boxes.check()?;
        Ok(boxes)
    }

    /// Hits fall in order, so that marks do too.
    fn check(&self) -> Result<(), Refusal> {
        let bad = |message| Err(Refusal::new("bad-boxes", message).by(rule::DAMAGE));
        let all: Vec<Mark> = (0..self.count()).map(|at| self.mark(at)).collect();
        if all.contains(&Mark::Double) && all.contains(&Mark::Clean) {
            return bad("No box may be marked twice while another is clean.");
        }
        for layer in [Mark::Single, Mark::Double] {
            let mut open = false;
            for (start, length) in self.sets() {
                let set = &all[start..start + length];
                if open && set.iter().any(|mark| *mark >= layer) {
                    return bad(match layer {
                        Mark::Single => "No set may be marked before the sets ahead of it are full.",
                        _ => "No set may be marked twice before the sets ahead of it are full twice.",
                    });
                }
                open |= set.iter().any(|mark| *mark < layer);
            }
        }
        Ok(())
    }

    fn count(&self) -> usize {
        self.lengths.iter().map(|&length| usize::from(length)).sum()
    }

    fn mark(&self, at: usize) -> Mark {
        MARKS[(self.marks >> (2 * at)) as usize & 3]
    }

    /// The first bit of every box that is marked twice or burnt.
    fn doubly(&self) -> u128 {
        self.marks >> 1 & FIRST_BITS
    }

    fn put(&mut self, at: usize, mark: Mark) {
        self.marks &= !(3 << (2 * at));
        self.marks |= (mark as u128) << (2 * at);
    }

    /// The start and the length of each set.
    fn sets(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let lengths = self.lengths;
        let mut start = 0;
        lengths.into_iter().filter(|&length| length > 0).map(move |length| {
            let here = start;
            start += usize::from(length);
            (here, usize::from(length))
        })
    }

    /// The signs, set by set.
    pub fn texts(&self) -> Vec<String> {
        self.sets()
            .map(|(start, length)| (start..start + length).map(|at| SIGNS[self.mark(at) as usize]).collect())
            .collect()
    }

    pub fn wear(&self) -> Wear {
        let (mut single, mut double) = (0, 0);
        let (marked, doubly) = ((self.marks | self.marks >> 1) & FIRST_BITS, self.doubly());
        for (start, length) in self.sets() {
            let set = FIRST_BITS << (2 * start) & !u128::MAX.checked_shl(2 * (start + length) as u32).unwrap_or(0);
            if doubly & set == set {
                double += 1;
            } else if marked & set == set {
                single += 1;
            }
        }
        Wear {
            single_filled: single,
            double_filled: double,
            stress_modifier: -single - 2 * double,
            max_dive_reduction: double,
            stress_bet_level: 3 - double / 2,
        }
    }

    /// Whether no box can take another mark: the aircraft breaks up. (C-6)
    pub fn used_up(&self) -> bool {
        self.doubly().count_ones() as usize == self.count()
    }

    /// The marks made; a box marked twice counts twice.
    pub fn marks_made(&self) -> i32 {
        let (doubly, singly) = (self.doubly(), self.marks & FIRST_BITS & !self.doubly());
        (2 * doubly.count_ones() + singly.count_ones()) as i32
    }

    /// The mark that the next hits make, and the first box that takes it.
    fn next(&self) -> Option<(Mark, usize)> {
        [(Mark::Clean, Mark::Single), (Mark::Single, Mark::Double)]
            .into_iter()
            .find_map(|(from, to)| (0..self.count()).find(|&at| self.mark(at) == from).map(|at| (to, at)))
    }

    /// Gives hits their boxes; returns how many found none.
    pub fn take_hits(&mut self, hits: i32) -> i32 {
        for left in (1..=hits).rev() {
            let Some((mark, at)) = self.next() else { return left };
            self.put(at, mark);
        }
        0
    }

    /// Fills so many sets, one after the other.
    pub fn fill(&mut self, sets: u8) {
        (0..sets).for_each(|_| self.fill_current());
    }

    /// Fills the set the next hit would fall in, in the layer it would fall in.
    fn fill_current(&mut self) {
        let Some((mark, at)) = self.next() else { return };
        let Some((start, length)) = self.sets().find(|&(start, length)| (start..start + length).contains(&at)) else {
            return;
        };
        for at in start..start + length {
            if self.mark(at) < mark {
                self.put(at, mark);
            }
        }
    }

    /// Burns boxes from the first on; returns how many there were to burn.
    pub fn burn(&mut self, boxes: i32) -> i32 {
        let mut burnt = 0;
        for at in 0..self.count() {
            if burnt < boxes && self.mark(at) != Mark::Burnt {
                self.put(at, Mark::Burnt);
                burnt += 1;
            }
        }
        burnt
    }
}

impl Serialize for Boxes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.texts().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Boxes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        Boxes::parse(&texts).map_err(serde::de::Error::custom)
    }
}

/// Hits on an aircraft: how many found no box. A hit without a box destroys it.
pub(crate) fn hits(boxes: &mut Boxes, hits: i32, who: Who<'_>, ask: &mut impl Ask) -> i32 {
    let without_box = boxes.take_hits(hits);
    ask.note(|| {
        Note::new("damage", format!("{who} takes {}; its boxes: {}.", counted(hits, "hit"), boxes.texts().join(" ")))
            .by(&[rule::DAMAGE, rule::C_11])
            .outcome(serde_json::json!({"boxes": boxes, "without_box": without_box}))
            .pieces([who.id])
            .effect(Effect::of(hits))
    });
    note_breaking_up(boxes, ask);
    without_box
}

pub(crate) fn note_breaking_up(boxes: &Boxes, ask: &mut impl Ask) {
    if boxes.used_up() {
        ask.note(|| {
            Note::new("break-up", "No box can take another mark: the aircraft breaks up.")
                .detail()
                .by(&[rule::C_6, rule::DAMAGE])
        });
    }
}

/// A burning aircraft at the start of a turn.
pub(crate) fn fire_damage(boxes: &mut Boxes, who: Who<'_>, ask: &mut impl Ask) -> Asked<(u8, i32)> {
    let die = ask.roll(D6, format_args!("fire damage of {}", who.id))?;
    let burnt = boxes.burn(i32::from(die));
    ask.note(|| {
        let count = if burnt == 1 { "1 box".to_owned() } else { format!("{burnt} boxes") };
        Note::new("fire-damage", format!("{who} loses {count} to the fire: {}", boxes.texts().join(" ")))
            .by(&[rule::SMOKE_FIRE, rule::R_51])
            .dice(&[die])
            .outcome(burnt)
            .pieces([who.id])
            .effect(Effect::of(burnt))
    });
    note_breaking_up(boxes, ask);
    Ok((die, burnt))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after_hits(before: [&str; 4], hits: i32) -> Vec<String> {
        let mut boxes = Boxes::parse(&before).unwrap();
        boxes.take_hits(hits);
        boxes.texts()
    }

    #[test]
    fn hits_fill_one_layer_after_the_other() {
        assert_eq!(after_hits(["......", "......", "......", "......"], 25), ["X/////", "//////", "//////", "//////"]);
        assert_eq!(after_hits(["######", "#.....", "......", "......"], 2), ["######", "#//...", "......", "......"]);
    }

    #[test]
    fn boxes_come_back_from_their_signs_however_many_hits() {
        let mut boxes = Boxes::clean(4, 6);
        for hits in 0..=48 {
            assert_eq!(Boxes::parse(&boxes.texts()).unwrap(), boxes, "{hits} hits");
            assert_eq!(boxes.marks_made(), hits);
            assert_eq!(boxes.used_up(), hits == 48);
            boxes.take_hits(1);
        }
        assert_eq!(boxes.take_hits(3), 3);
    }

    #[test]
    fn sets_are_filled_when_their_poorest_box_is() {
        for clean in [
            Boxes::clean(4, 6),
            Boxes::clean(8, 8),
            Boxes::clean(1, 1),
            Boxes::parse(&["...", ".", ".....", ".."]).unwrap(),
        ] {
            let mut boxes = clean;
            for _ in 0..=2 * clean.count() {
                let poorest: Vec<Mark> = boxes
                    .sets()
                    .filter_map(|(start, length)| (start..start + length).map(|at| boxes.mark(at)).min())
                    .collect();
                let filled = |with: &[Mark]| poorest.iter().filter(|mark| with.contains(mark)).count() as i32;
                let wear = boxes.wear();
                assert_eq!(
                    (wear.single_filled, wear.double_filled),
                    (filled(&[Mark::Single]), filled(&[Mark::Double, Mark::Burnt])),
                    "{boxes:?}"
                );
                boxes.take_hits(1);
            }
        }
        let burnt = Boxes::parse(&["######", "#/////", "//////", "......"]).unwrap();
        assert_eq!(
            (burnt.wear().single_filled, burnt.wear().double_filled, burnt.marks_made(), burnt.used_up()),
            (2, 1, 25, false)
        );
    }

    #[test]
    fn filling_a_set_is_as_many_hits_as_it_has_room() {
        let mut filled = Boxes::parse(&["//////", "//....", "......", "......"]).unwrap();
        let mut hit = filled;
        filled.fill_current();
        hit.take_hits(4);
        assert_eq!(filled, hit);
        filled.fill_current();
        hit.take_hits(6);
        assert_eq!(filled, hit);
    }
}
