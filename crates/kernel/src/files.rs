use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The data files of a system: name to text. The built-in ones are part of the program; an owner may lay others over them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files(BTreeMap<String, Cow<'static, str>>);

impl Files {
    /// The files built into the program.
    #[must_use]
    pub fn built_in(files: &[(&str, &'static str)]) -> Self {
        Self(files.iter().map(|&(name, text)| (name.to_owned(), Cow::Borrowed(text))).collect())
    }

    /// Lays a file over what is there: replaces the one of that name, or adds one.
    pub fn lay(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.0.insert(name.into(), Cow::Owned(text.into()));
    }

    /// The text of a file.
    pub fn text(&self, name: &str) -> Result<&str, DataError> {
        self.0.get(name).map(AsRef::as_ref).ok_or_else(|| DataError::new(name, "the file is missing"))
    }

    /// All files in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text.as_ref()))
    }

    /// A file parsed from TOML.
    pub fn parse<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<T, DataError> {
        toml::from_str(self.text(name)?).map_err(|error| DataError::new(name, error))
    }
}

/// What is wrong with a data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError {
    /// The file.
    pub file: String,
    /// What is wrong, as a sentence.
    pub message: String,
}

impl DataError {
    /// An error in a file.
    pub fn new(file: impl Into<String>, message: impl ToString) -> Self {
        Self { file: file.into(), message: message.to_string() }
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.message)
    }
}

impl std::error::Error for DataError {}
