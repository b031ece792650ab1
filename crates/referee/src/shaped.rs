use crate::{Shape, bool, int, list, map, nullable, text, tuple};
use std::collections::BTreeMap;
use std::fmt;

/// A type whose JSON form has a [`Shape`]. It is derived: see [`macro@flagplot_derive::Shaped`].
///
/// ```
/// use flagplot_referee::{Codes, Shaped, json, words};
/// use serde::Deserialize;
///
/// /// How guns are laid.
/// #[words]
/// enum Control {
///     Directed,
///     Local,
/// }
///
/// #[derive(Deserialize, Shaped)]
/// struct Salvo {
///     /// Distance to the target.
///     #[shape(0..=40_000, unit = "m")]
///     range: u32,
///     /// How the guns are laid.
///     #[shape(or = Control::Directed)]
///     control: Control,
///     /// Splash markers on the target.
///     #[shape(0..=9)]
///     splash: Option<u8>,
/// }
///
/// let given = Salvo::shape().check(json!({"range": 9000}), "input", &Codes::default()).unwrap();
/// assert_eq!(given, json!({"range": 9000, "control": "directed"}));
/// let salvo: Salvo = serde_json::from_value(given).unwrap();
/// assert_eq!((salvo.control, salvo.splash), (Control::Directed, None));
/// ```
pub trait Shaped {
    /// What its JSON form looks like.
    fn shape() -> Shape;
}

macro_rules! whole_numbers {
    ($($type:ty)*) => {$(
        impl Shaped for $type {
            fn shape() -> Shape {
                int(i64::try_from(<$type>::MIN).unwrap_or(i64::MIN), i64::try_from(<$type>::MAX).unwrap_or(i64::MAX))
            }
        }
    )*};
}
whole_numbers! { u8 u16 u32 u64 usize i8 i16 i32 i64 }

impl Shaped for bool {
    fn shape() -> Shape {
        bool()
    }
}

/// A name or a short note, unless `chars` says otherwise.
const TEXT: usize = 100;

impl Shaped for String {
    fn shape() -> Shape {
        text(TEXT)
    }
}

impl Shaped for &str {
    fn shape() -> Shape {
        text(TEXT)
    }
}

/// How many items a list or a map holds unless `items` says otherwise.
const ITEMS: usize = 1000;

impl<T: Shaped> Shaped for Vec<T> {
    fn shape() -> Shape {
        list(T::shape(), 0, ITEMS)
    }
}

impl<T: Shaped, const N: usize> Shaped for [T; N] {
    fn shape() -> Shape {
        list(T::shape(), N, N)
    }
}

impl<K, T: Shaped> Shaped for BTreeMap<K, T> {
    fn shape() -> Shape {
        map(T::shape(), ITEMS)
    }
}

impl<T: Shaped> Shaped for Option<T> {
    fn shape() -> Shape {
        nullable(T::shape())
    }
}

impl<T: Shaped> Shaped for Box<T> {
    fn shape() -> Shape {
        T::shape()
    }
}

impl<A: Shaped, B: Shaped> Shaped for (A, B) {
    fn shape() -> Shape {
        tuple(vec![A::shape(), B::shape()])
    }
}

/// A word that is not one of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWord {
    word: String,
    known: &'static [&'static str],
}

impl UnknownWord {
    /// The word that was given, and the words there are.
    #[must_use]
    pub fn new(word: &str, known: &'static [&'static str]) -> Self {
        Self { word: word.chars().take(60).collect(), known }
    }
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not one of {}", self.word, self.known.join(", "))
    }
}

impl std::error::Error for UnknownWord {}
