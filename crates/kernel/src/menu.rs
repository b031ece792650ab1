use crate::{Candidate, Chance, Choice, Decision, Prompt, Refusal, Screen, Seat};
use serde::{Serialize, de::DeserializeOwned};

/// A choice from a closed list. Whatever implements this is a [`Choice`]: the check, the options on the screen, and the
/// reasons for those that are not open now all come from one list and one rule.
///
/// ```
/// use flagplot_kernel::{Decision, Menu, Prompt, Refusal, Rule, Screen, Seat};
/// # const RULE: Rule = Rule { id: "R-1", title: "Diving" };
/// struct Height(u8);
/// impl Menu for Height {
///     type Option = i8;
///     fn seat(&self) -> Seat {
///         Seat(0)
///     }
///     fn prompt(&self) -> Prompt {
///         Prompt::new("height", "Climb, dive, or stay level?", RULE)
///     }
///     fn options(&self) -> Vec<i8> {
///         vec![1, 0, -1]
///     }
///     fn label(&self, option: &i8) -> String {
///         ["Dive", "Stay level", "Climb"][(option + 1) as usize].to_owned()
///     }
///     fn allow(&self, option: &i8) -> Result<(), Refusal> {
///         match option {
///             -1 if self.0 == 0 => Err(Refusal::new("too-low", "You are at the lowest level.").by(RULE)),
///             _ => Ok(()),
///         }
///     }
/// }
/// let labels: Vec<_> = Height(0).candidates().into_iter().map(|candidate| candidate.label).collect();
/// assert_eq!(labels, ["Climb", "Stay level"]);
/// assert_eq!(Screen::prompt(&Height(0)).missing, ["Dive: You are at the lowest level. [R-1]"]);
/// assert_eq!(Height(0).check(&-1).unwrap_err().code, "too-low");
/// assert_eq!(Height(9).check(&5).unwrap_err().code, "not-offered");
/// ```
pub trait Menu {
    /// What is chosen.
    type Option: Clone + PartialEq + Serialize + DeserializeOwned;

    /// Who is asked.
    fn seat(&self) -> Seat;

    /// What is asked, in words.
    fn prompt(&self) -> Prompt;

    /// Every option a player may think of here, open or not, in the order of the screen. At least one is open.
    fn options(&self) -> Vec<Self::Option>;

    /// An option in words.
    fn label(&self, option: &Self::Option) -> String;

    /// Whether an option is open now, and if not, why.
    fn allow(&self, _: &Self::Option) -> Result<(), Refusal> {
        Ok(())
    }

    /// The pieces and places a click on which means this option.
    fn pieces(&self, _: &Self::Option) -> Vec<String> {
        Vec::new()
    }

    /// As [`Choice::sample`].
    fn sample(&self, chance: &mut Chance) -> Self::Option {
        let mut open = open(self);
        open.swap_remove(chance.below(open.len() as u32) as usize)
    }

    /// As [`Choice::mix`].
    fn mix(&self) -> Option<Vec<(Self::Option, u64)>> {
        None
    }

    /// As [`Choice::instinct`].
    fn instinct(&self, chance: &mut Chance) -> Self::Option {
        self.sample(chance)
    }
}

fn open<M: Menu + ?Sized>(menu: &M) -> Vec<M::Option> {
    let mut options = menu.options();
    options.retain(|option| menu.allow(option).is_ok());
    options
}

impl<M: Menu> Decision for M {
    type Value = M::Option;

    fn seat(&self) -> Seat {
        Menu::seat(self)
    }

    fn check(&self, value: &M::Option) -> Result<(), Refusal> {
        let options = self.options();
        if options.contains(value) {
            return self.allow(value);
        }
        let labels: Vec<String> =
            options.iter().filter(|option| self.allow(option).is_ok()).map(|option| self.label(option)).collect();
        Err(Refusal::new("not-offered", "This is not one of the options.")
            .remedy(format!("Choose one of: {}.", labels.join("; "))))
    }
}

impl<M: Menu> Screen for M {
    fn prompt(&self) -> Prompt {
        let barred = self.options().into_iter().filter_map(|option| Some((self.allow(&option).err()?, option)));
        barred.fold(Menu::prompt(self), |prompt, (refusal, option)| {
            prompt.missing(format!("{}: {refusal}", self.label(&option)))
        })
    }

    fn candidates(&self) -> Vec<Candidate<M::Option>> {
        let open = open(self).into_iter();
        open.map(|option| {
            let (label, pieces) = (self.label(&option), self.pieces(&option));
            Candidate::new(option, label).at(pieces)
        })
        .collect()
    }
}

impl<M: Menu> Choice for M {
    fn listed(&self) -> bool {
        true
    }

    fn sample(&self, chance: &mut Chance) -> M::Option {
        Menu::sample(self, chance)
    }

    fn mix(&self) -> Option<Vec<(M::Option, u64)>> {
        Menu::mix(self)
    }

    fn instinct(&self, chance: &mut Chance) -> M::Option {
        Menu::instinct(self, chance)
    }
}
