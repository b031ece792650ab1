//! Torpedoes. [9.7]

use crate::book::Book;
use crate::rule;
use crate::throw::{Aim, Mark, Modifiers, Salvo, Way};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, D10, Note, Refusal};

/// The smallest size that torpedoes can be aimed at.
pub const SMALLEST_TARGET: i32 = -3;

/// Torpedoes running at a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// How many.
    pub torpedoes: i32,
    /// The range band from the launch to the target.
    pub band: i32,
    /// The last band of the setting.
    pub max_band: i32,
    /// How they are aimed.
    pub mode: Mode,
    /// What the setting adds.
    pub setting_modifier: i32,
    /// The launcher's crew quality.
    pub crew_quality: i32,
    /// Splash markers on the launcher.
    pub splash: i32,
    /// The target.
    pub target: Mark,
    /// Where they run into it.
    pub aspect: Aspect,
}

/// Whether torpedoes can be used against a size.
pub fn check_size(size: i32) -> Result<(), Refusal> {
    if size >= SMALLEST_TARGET {
        return Ok(());
    }
    Err(Refusal::new(
        "not-a-torpedo-target",
        format!("A target of size {size} is too small for torpedoes; {SMALLEST_TARGET} is the smallest."),
    )
    .by(rule::R_4))
}

impl Spread {
    /// Whether they have run out before the target.
    #[must_use]
    pub fn out_of_range(&self) -> bool {
        self.band > self.max_band
    }

    /// What each die needs.
    #[must_use]
    pub fn aim(&self, book: &Book) -> Aim {
        let dodges = self.target.way(book) == Way::UnderWay && self.target.ground == crate::throw::Ground::Sea;
        let modifiers = Modifiers::new()
            .with("speed setting", self.setting_modifier, rule::S9_7)
            .with("splash on launcher", -self.splash, rule::S9_7)
            .with("crew quality", self.crew_quality, rule::R_46)
            .with("target size", self.target.size, rule::R_4)
            .when(dodges && self.aspect == Aspect::Bow, "into the bow arc", book.bow_arc, rule::S9_7)
            .when(dodges && self.aspect == Aspect::Stern, "into the stern arc", book.stern_arc, rule::S9_7)
            .when(self.mode == Mode::WideSpread, "wide spread", book.spreads.wide_spread_modifier, rule::C_9);
        Aim {
            heading: "9.7 Torpedoes",
            table: ("torpedo", self.band.to_string(), "needs"),
            rules: &[rule::S9_7, rule::C_9, rule::R_3],
            base: book.torpedoes_need(self.band),
            modifiers: self.target.ease(book, modifiers, rule::S9_7),
            again: self.target.again(book),
        }
    }

    /// The dice, one for each band of torpedoes.
    #[must_use]
    pub fn salvo<'a>(&self, book: &'a Book) -> Salvo<'a> {
        Salvo { book, dice: book.band(self.torpedoes), aim: self.aim(book), saves: None }
    }
}

/// Where a torpedo or mine strikes. [C-9]
pub fn location(book: &Book, from: Approach, ask: &mut impl Ask) -> Asked<Column> {
    let column = ask.roll_as(D10, "where it strikes", |face| book.location(from, face))?;
    ask.note(|| {
        let face = column.face.unwrap_or(0);
        Note::new("location", format!("From {from}: d10 {face}: {}", column.read))
            .by(&[rule::C_9])
            .table("location", face, from)
            .dice(&[face])
            .outcome(column.read.word())
    });
    Ok(column.read)
}
