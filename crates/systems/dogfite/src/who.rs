use std::fmt;

/// An aircraft as it is spoken of: by its id to dice and boards, by its name in sentences.
#[derive(Clone, Copy, Debug)]
pub struct Who<'a> {
    pub id: &'a str,
    /// It begins a sentence.
    pub name: &'a str,
}

impl Who<'static> {
    /// The aircraft of a procedure.
    pub(crate) const AIRCRAFT: Self = Who { id: "the aircraft", name: "The aircraft" };
    /// For those who look ahead.
    pub(crate) const NOBODY: Self = Who { id: "", name: "" };
}

impl<'a> From<&'a str> for Who<'a> {
    fn from(id: &'a str) -> Self {
        Who { id, name: id }
    }
}

impl fmt::Display for Who<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
