use crate::dice::{Commitment, Pledge, Secret, Shares};
use crate::{Desk, DiceSource};
use flagplot_catalog::Catalog;
use flagplot_kernel::{Dice, Faces, Outcome, Refusal, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The version of the file format. Records of all earlier versions are read, and stay as they are.
///
/// 2: seats commit to what they add to the dice before they reveal it; an imported game says where its old dice end.
/// 3: the first line says who asked for hints.
pub const FORMAT: u32 = 3;
/// The longest record that is read, in bytes.
pub const LARGEST: usize = 64 << 20;

/// The first line of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the format.
    pub flagplot: u32,
    pub system: String,
    pub edition: String,
    pub scenario: String,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub options: Value,
    /// Who sits where, in words.
    pub seats: Vec<String>,
    /// Where the dice come from; of an imported game, those rolled since.
    pub dice: DiceLine,
    /// What was played before the game was imported, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imported: Vec<Imported>,
    /// The hints that players asked for, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<HintUse>,
}

/// A hint that a player asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HintUse {
    /// How many entries there were.
    pub at: usize,
    pub seat: Seat,
    /// The computer player that was asked.
    pub player: String,
    /// What it would answer.
    pub value: Value,
    /// The standard error of what it said of its answer; none if it did not think ahead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
}

/// The part of a game that was played before it was imported, with other dice. The importer may have known them all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Imported {
    /// How many entries the record had when it was imported.
    pub entries: usize,
    /// Where its dice came from until then.
    pub dice: DiceLine,
    /// The secret of these dice, if the record held it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// Where the dice of a record come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum DiceLine {
    /// Fair dice: the commitment, and what each seat added.
    Committed {
        /// The hash of the secret.
        commitment: Commitment,
        /// What each seat added.
        #[serde(flatten)]
        shares: Shares,
    },
    /// Dice that follow from a number.
    Seeded {
        /// The number, as text because it may have 64 bits.
        seed: String,
    },
    /// Real dice typed in by hand.
    Typed,
}

impl From<&DiceSource> for DiceLine {
    /// What is published of the dice.
    fn from(dice: &DiceSource) -> Self {
        match dice {
            DiceSource::Committed { secret, shares } => {
                DiceLine::Committed { commitment: secret.commitment(), shares: shares.clone() }
            }
            DiceSource::Seeded(seed) => DiceLine::Seeded { seed: seed.to_string() },
            DiceSource::Typed => DiceLine::Typed,
        }
    }
}

impl DiceLine {
    /// What the seats add, where they add anything.
    #[must_use]
    pub fn shares(&self) -> Option<&Shares> {
        match self {
            DiceLine::Committed { shares, .. } => Some(shares),
            _ => None,
        }
    }

    /// The source that rolls these dice; fair ones need their secret.
    fn source(&self, secret: Option<&str>) -> Result<DiceSource, Refusal> {
        match self {
            DiceLine::Committed { commitment, shares } => {
                let secret = secret.and_then(Secret::parse).ok_or_else(|| {
                    Refusal::new("no-secret", "The record lacks the secret of its dice, so they cannot be rolled.")
                })?;
                if secret.commitment() != *commitment {
                    return Err(Refusal::new(
                        "wrong-secret",
                        "The secret in the record does not match its commitment.",
                    ));
                }
                Ok(DiceSource::Committed { secret, shares: shares.clone() })
            }
            DiceLine::Seeded { seed } => {
                let seed = seed
                    .parse()
                    .map_err(|_| Refusal::new("bad-record", "The seed of the record is not a whole number."))?;
                Ok(DiceSource::Seeded(seed))
            }
            DiceLine::Typed => Ok(DiceSource::Typed),
        }
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// Dice were rolled.
    Dice(Faces),
    /// A seat answered.
    Answer {
        seat: Seat,
        /// The answer.
        value: Value,
    },
    /// A seat took its last answer back.
    Undo { seat: Seat },
    /// A seat resigned.
    Resign { seat: Seat },
    /// A seat lost on time.
    Timeout { seat: Seat },
    /// Seats of both sides ran out of time in the same moment: a draw.
    TimeoutOfBoth,
    /// Both sides agreed on a draw.
    Draw,
}

/// The last line: how it ended, or that it was put aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Close {
    /// How many entries there are.
    close: usize,
    /// A sentence, if the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    /// The secret of the dice, revealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

/// A line as it stands in the file: what it says and the hash of the line before.
#[derive(Serialize, Deserialize)]
struct Line<T> {
    #[serde(flatten)]
    says: T,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prev: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Numbered {
    n: usize,
    entry: Entry,
}

/// A game as a file: JSON lines, each with the hash of the one before.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The first line.
    pub header: Header,
    /// What happened, in order.
    pub entries: Vec<Entry>,
    /// The secret of the dice, once it is revealed.
    pub secret: Option<String>,
    /// How it ended, in a sentence, once it has.
    pub outcome: Option<String>,
}

/// What `verify` found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Verdict {
    /// How many entries were replayed.
    pub entries: usize,
    /// How many rolls were proved to come from the committed secret, or from the seed. Imported rolls are not among
    /// them.
    pub rolls_proved: usize,
    /// How many rolls were made before the game was imported. The importer may have chosen them.
    pub rolls_imported: usize,
    /// Where the dice came from, since the last import if there was one: `committed`, `seeded`, `typed`.
    pub dice: &'static str,
    /// The seats whose additions to the dice are those they had committed to.
    pub seats_added: Vec<Seat>,
    /// The seats that chose to add nothing to the dice.
    pub seats_waived: Vec<Seat>,
    /// The hints that players asked for: the seat, and how many entries there were.
    pub hints: Vec<(Seat, usize)>,
    /// How the game ended, once it has.
    pub outcome: Option<Outcome>,
}

fn hash(line: &str) -> String {
    Sha256::digest(line.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bad(code: &'static str, line: usize, why: impl std::fmt::Display) -> Refusal {
    Refusal::new(code, format!("Line {line} of the record: {why}."))
}

impl Record {
    /// The file's text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut prev: Option<String> = None;
        let mut push = |line: String, prev: &mut Option<String>| {
            *prev = Some(hash(&line));
            text.push_str(&line);
            text.push('\n');
        };
        let json = |line: Result<String, serde_json::Error>| line.expect("a record has a JSON form");
        push(json(serde_json::to_string(&Line { says: &self.header, prev: None })), &mut prev);
        for (n, entry) in self.entries.iter().enumerate() {
            push(
                json(serde_json::to_string(&Line {
                    says: Numbered { n: n + 1, entry: entry.clone() },
                    prev: prev.clone(),
                })),
                &mut prev,
            );
        }
        let close = Close { close: self.entries.len(), outcome: self.outcome.clone(), secret: self.secret.clone() };
        push(json(serde_json::to_string(&Line { says: close, prev: prev.clone() })), &mut prev);
        text
    }

    /// Reads a file and checks its form and its chain of hashes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        if bytes.len() > LARGEST {
            return Err(Refusal::new(
                "too-long",
                format!("A record has at most {LARGEST} bytes; this one has {}.", bytes.len()),
            ));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            Refusal::new("bad-record", format!("Byte {} of the record is not UTF-8.", error.valid_up_to() + 1))
        })?;
        let lines: Vec<&str> = text.split_terminator('\n').collect();
        let [first, rest @ ..] = lines.as_slice() else {
            return Err(Refusal::new("bad-record", "The record is empty."));
        };
        let probe: Value =
            serde_json::from_str(first).map_err(|error| bad("bad-record", 1, format!("not JSON: {error}")))?;
        match probe.get("flagplot").and_then(Value::as_u64) {
            None => return Err(bad("bad-record", 1, "it is not the first line of a Flagplot record")),
            Some(format) if !(1..=u64::from(FORMAT)).contains(&format) => {
                return Err(bad(
                    "unknown-format",
                    1,
                    format!("the format is {format}; this program reads 1 to {FORMAT}"),
                ));
            }
            Some(_) => {}
        }
        let header: Header = serde_json::from_str(first).map_err(|error| bad("bad-record", 1, error))?;
        let pledged = header.dice.shares().is_some_and(|shares| !shares.pledges.is_empty());
        if header.flagplot < 2 && (pledged || !header.imported.is_empty()) {
            return Err(bad("bad-record", 1, "it uses a field that format 1 does not have"));
        }
        if header.flagplot < 3 && !header.hints.is_empty() {
            return Err(bad("bad-record", 1, "it uses a field that format 2 does not have"));
        }
        let [middle @ .., last] = rest else {
            return Err(Refusal::new("record-cut", "The record has no last line: it was cut."));
        };
        let mut prev = hash(first);
        let mut entries = Vec::with_capacity(middle.len());
        for (at, line) in middle.iter().enumerate() {
            let number = at + 2;
            let read: Line<Numbered> = serde_json::from_str(line).map_err(|error| bad("bad-record", number, error))?;
            if read.prev.as_ref() != Some(&prev) {
                return Err(bad(
                    "broken-chain",
                    number,
                    "it does not follow the line before; a line was edited, removed or moved",
                ));
            }
            if read.says.n != at + 1 {
                return Err(bad(
                    "broken-chain",
                    number,
                    format!("it is entry {} where {} is due", read.says.n, at + 1),
                ));
            }
            prev = hash(line);
            entries.push(read.says.entry);
        }
        let number = lines.len();
        let is_close = serde_json::from_str::<Value>(last)
            .map_err(|error| bad("bad-record", number, format!("not JSON: {error}")))?
            .get("close")
            .is_some();
        if !is_close {
            return Err(Refusal::new("record-cut", "The record has no closing line: it was cut."));
        }
        let mut close: Value = serde_json::from_str(last).map_err(|error| bad("bad-record", number, error))?;
        let link = close.as_object_mut().and_then(|fields| fields.remove("prev"));
        let close: Close = serde_json::from_value(close).map_err(|error| bad("bad-record", number, error))?;
        if link != Some(Value::String(prev)) {
            return Err(bad(
                "broken-chain",
                number,
                "it does not follow the line before; a line was edited, removed or moved",
            ));
        }
        if close.close != entries.len() {
            return Err(bad(
                "broken-chain",
                number,
                format!("it counts {} entries, but there are {}", close.close, entries.len()),
            ));
        }
        Ok(Self { header, entries, secret: close.secret, outcome: close.outcome })
    }

    /// The game as it began, under the edition it began under.
    fn begin(&self, catalog: &Catalog) -> Result<Desk, Refusal> {
        let edition = catalog.edition(&self.header.system)?;
        if edition != self.header.edition {
            return Err(Refusal::new(
                "unknown-edition",
                format!(
                    "The record was played under edition {} of {}; this program has {edition}.",
                    self.header.edition, self.header.system
                ),
            ));
        }
        // Dice are in the record; a source that has to be asked shows if one is missing.
        let mut desk = Desk::open(
            catalog,
            &self.header.system,
            &self.header.scenario,
            self.header.options.clone(),
            self.header.seats.clone(),
            DiceSource::Typed,
        )?;
        desk.header = self.header.clone();
        Ok(desk)
    }

    /// Plays the record again up to its `step`-th entry (all of it without one), under the edition it began under.
    pub fn replay(&self, catalog: &Catalog, upto: Option<usize>) -> Result<Desk, Refusal> {
        let mut desk = self.begin(catalog)?;
        for (at, entry) in self.entries.iter().take(upto.unwrap_or(usize::MAX)).enumerate() {
            desk.apply(entry.clone()).map_err(|refusal| {
                Refusal::new("illegal-record", format!("Entry {} of the record is not legal: {refusal}", at + 1))
            })?;
        }
        Ok(desk)
    }

    /// The source that continues this record's dice: the secret must be in it.
    pub fn dice_source(&self) -> Result<DiceSource, Refusal> {
        self.header.dice.source(self.secret.as_deref())
    }

    /// The same game, to go on with other dice. What was rolled so far counts as imported.
    #[must_use]
    pub fn with_new_dice(mut self, dice: &DiceSource) -> Self {
        let secret = match dice {
            DiceSource::Committed { secret, .. } => Some(secret.reveal()),
            _ => None,
        };
        self.header.imported.push(Imported {
            entries: self.entries.len(),
            dice: std::mem::replace(&mut self.header.dice, dice.into()),
            secret: std::mem::replace(&mut self.secret, secret),
        });
        self.header.flagplot = FORMAT;
        self
    }

    /// Every part of the record with dice of its own: how many entries there are at its end, and what can roll its
    /// dice, if anything can.
    fn parts(&self) -> Result<Vec<(usize, Option<DiceSource>)>, Refusal> {
        let last = (self.entries.len(), &self.header.dice, &self.secret);
        let parts = self.header.imported.iter().map(|part| (part.entries, &part.dice, &part.secret)).chain([last]);
        let mut before = 0;
        parts
            .map(|(end, dice, secret)| {
                if end < before || end > self.entries.len() {
                    return Err(Refusal::new("bad-record", "The record's imported parts are out of order."));
                }
                before = end;
                if let Some(shares) = dice.shares() {
                    shares.check(self.header.seats.len())?;
                }
                let source = match dice {
                    DiceLine::Typed => None,
                    DiceLine::Committed { .. } if secret.is_none() => None,
                    _ => Some(dice.source(secret.as_deref())?),
                };
                Ok((end, source))
            })
            .collect()
    }

    /// Replays the record, and proves every roll from the secret where it is revealed.
    pub fn verify(&self, catalog: &Catalog) -> Result<Verdict, Refusal> {
        let (mut rolls_proved, mut rolls_imported) = (0, 0);
        let parts = self.parts()?;
        let since = self.header.imported.last().map_or(0, |part| part.entries);
        let mut desk = self.begin(catalog)?;
        let mut rolls = 0u64;
        for (at, entry) in self.entries.iter().enumerate() {
            if let (Entry::Dice(faces), Some((count, die, what))) = (entry, desk.dice_due()) {
                let source = parts.iter().find(|(end, _)| at < *end).and_then(|(_, source)| source.as_ref());
                if source.is_some_and(|source| source.roll(rolls, count, die, &what).as_ref() != Some(faces)) {
                    return Err(Refusal::new(
                        "wrong-dice",
                        format!(
                            "Entry {} of the record: these faces do not follow from the secret of the dice.",
                            at + 1
                        ),
                    ));
                }
                rolls_imported += usize::from(at < since);
                rolls_proved += usize::from(at >= since && source.is_some());
            }
            rolls += u64::from(matches!(entry, Entry::Dice(_)));
            desk.apply(entry.clone()).map_err(|refusal| {
                Refusal::new("illegal-record", format!("Entry {} of the record is not legal: {refusal}", at + 1))
            })?;
        }
        let outcome = desk.outcome();
        let told = match (&self.outcome, &outcome) {
            (Some(given), Some(outcome)) => *given == outcome.summary || earlier_words(outcome).contains(given),
            (given, outcome) => given.is_none() && outcome.is_none(),
        };
        if !told {
            return Err(Refusal::new(
                "wrong-outcome",
                "The outcome in the record's last line does not match the game.",
            ));
        }
        let dice = match self.header.dice {
            DiceLine::Committed { .. } => "committed",
            DiceLine::Seeded { .. } => "seeded",
            DiceLine::Typed => "typed",
        };
        let (mut seats_added, mut seats_waived) = (Vec::new(), Vec::new());
        let shares = self.header.dice.shares().into_iter();
        for (seat, (pledge, entropy)) in
            (0u8..).map(Seat).zip(shares.flat_map(|shares| shares.pledges.iter().zip(&shares.entropies)))
        {
            match pledge {
                Pledge::Committed(_) if !entropy.is_empty() => seats_added.push(seat),
                Pledge::Waived | Pledge::Withdrawn(_) => seats_waived.push(seat),
                _ => {}
            }
        }
        let entries = self.entries.len();
        let mut hints = Vec::new();
        for hint in &self.header.hints {
            if usize::from(hint.seat.0) >= self.header.seats.len() || hint.at > entries {
                return Err(Refusal::new(
                    "bad-record",
                    "The record lists a hint for a seat or an entry it does not have.",
                ));
            }
            hints.push((hint.seat, hint.at));
        }
        Ok(Verdict { entries, rolls_proved, rolls_imported, dice, seats_added, seats_waived, hints, outcome })
    }
}

/// The sentences with which earlier releases told the same outcome.
fn earlier_words(outcome: &Outcome) -> Vec<String> {
    let Some((head, rest)) = outcome.summary.split_once(": ") else {
        let several = outcome.summary.strip_prefix("The ").and_then(|told| told.split_once(" win "));
        return several.map(|(name, how)| format!("{name} wins {how}")).into_iter().collect();
    };
    let (level, rest) = (&outcome.level, rest.replace("taken 1 hit,", "taken 1 hits,"));
    match head.split_once(" for ") {
        Some((_, winner)) => {
            vec![format!("{winner} wins ({level}): {rest}"), format!("{winner} wins, {level}: {rest}")]
        }
        None => vec![format!("Nobody wins: {rest}"), format!("{head}: {rest}")],
    }
}
