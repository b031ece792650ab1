use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A reference to a rule, declared once per system with [`rules!`](crate::rules).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rule {
    /// The identifier, unique within its system: `R-12`, `C-3`, `strike-5b`.
    pub id: &'static str,
    /// What the rule is about, in our own words.
    pub title: &'static str,
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl JsonSchema for Rule {
    fn schema_name() -> Cow<'static, str> {
        "Rule".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "The identifier of a rule." })
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id)
    }
}

/// Declares the rule references of a system: a constant for each, and `ALL` in order.
///
/// ```
/// mod rule {
///     flagplot_kernel::rules! {
///         DAY_NIGHT = "day-night", "Day or night is wished for and rolled for";
///         R_4 = "R-4", "Wishes are secret and simultaneous";
///     }
/// }
/// assert_eq!(rule::ALL.len(), 2);
/// assert_eq!(rule::R_4.id, "R-4");
/// ```
#[macro_export]
macro_rules! rules {
    ($($name:ident = $id:literal, $title:literal;)*) => {
        $(#[doc = $title] pub const $name: $crate::Rule = $crate::Rule { id: $id, title: $title };)*
        /// Every rule reference of the system, in the order of its rules page.
        pub const ALL: &[$crate::Rule] = &[$($name),*];
    };
}
