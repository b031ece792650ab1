use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The data files of a system: name to text. The built-in ones are part of the program; an owner may lay others over
/// them.
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

    /// Lays an owner's file over the one of that name. Its tables and values replace those of the same name, the
    /// entries of its lists those of the same id; a new entry is added, and what it does not hold stays. A file of a
    /// new name is added.
    pub fn overlay(&mut self, name: &str, text: &str) -> Result<(), DataError> {
        let read = |text: &str| toml::from_str::<toml::Table>(text).map_err(|error| DataError::new(name, error));
        let own = read(text)?;
        let Ok(built_in) = self.text(name) else {
            self.lay(name, text);
            return Ok(());
        };
        let before = read(built_in)?;
        let mut after = before.clone();
        for (key, value) in own {
            let Some(there) = after.get_mut(&key) else {
                let known: Vec<&str> = before.keys().map(String::as_str).collect();
                return Err(DataError::new(name, format!("'{key}' is unknown; the file holds {}", known.join(", "))));
            };
            match (there.as_array_mut().filter(|list| have_ids(list)), value) {
                (Some(there), toml::Value::Array(entries)) if have_ids(&entries) => {
                    for entry in entries {
                        match there.iter_mut().find(|known| known.get("id") == entry.get("id")) {
                            Some(known) => *known = entry,
                            None => there.push(entry),
                        }
                    }
                }
                (_, value) => *there = value,
            }
        }
        if after != before {
            let text = toml::to_string(&after).map_err(|error| DataError::new(name, error))?;
            self.lay(name, text);
        }
        Ok(())
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

fn have_ids(entries: &[toml::Value]) -> bool {
    entries.iter().all(|entry| entry.get("id").is_some())
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

#[cfg(test)]
mod tests {
    use super::*;

    const BUILT_IN: &str =
        "sides = [1, 2]\n[a]\nx = 1\ny = 2\n[[s]]\nid = \"one\"\nn = 1\nm = 1\n[[s]]\nid = \"two\"\nn = 2\n";

    /// What the file says after one is laid over it.
    fn with(own: &str) -> Result<String, String> {
        let mut files = Files::built_in(&[("f.toml", BUILT_IN)]);
        files.overlay("f.toml", own).map_err(|error| error.to_string())?;
        let table: toml::Table = files.parse("f.toml").map_err(|error| error.to_string())?;
        Ok(toml::to_string(&table).expect("TOML").replace('\n', " "))
    }

    #[test]
    fn an_overlay_replaces_what_it_holds_and_keeps_the_rest() {
        assert!(with("[a]\nx = 5").unwrap().contains("[a] x = 5  [[s]]"), "a table is replaced as a whole");
        let scenario = with("[[s]]\nid = \"two\"\nn = 7").unwrap();
        assert!(scenario.contains("x = 1") && scenario.contains("id = \"one\"") && scenario.contains("n = 7"));
        assert!(!scenario.contains("n = 2"), "an entry of the same id is replaced: {scenario}");
        let added = with("[[s]]\nid = \"three\"\nn = 3").unwrap();
        assert_eq!(added.matches("[[s]]").count(), 3);
        assert!(with("sides = [9]").unwrap().contains("sides = [9]"), "a list without ids is replaced");
        assert!(with("[b]\nx = 1").unwrap_err().contains("'b' is unknown; the file holds a, s, sides"));
        assert!(with("[a").is_err());
    }

    #[test]
    fn an_overlay_that_changes_nothing_leaves_the_text_as_it_is() {
        let mut files = Files::built_in(&[("f.toml", BUILT_IN)]);
        files.overlay("f.toml", BUILT_IN).unwrap();
        assert_eq!(files.text("f.toml"), Ok(BUILT_IN));
        files.overlay("new.toml", "x = 1").unwrap();
        assert_eq!(files.text("new.toml"), Ok("x = 1"));
    }
}
