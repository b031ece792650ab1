use flagplot_kernel::{Chance, Dice, Die, Faces, Refusal, Seat};
use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Random bytes from the operating system.
#[must_use]
pub fn os_random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The secret of a game's dice: 256 bits, revealed when the game is over.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl Secret {
    /// A new secret from the operating system.
    #[must_use]
    pub fn new() -> Self {
        Self(os_random())
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// Its text, to be revealed when the game is over.
    #[must_use]
    pub fn reveal(&self) -> String {
        hex(&self.0)
    }

    /// What is published when the game begins.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        Commitment(hex(&Sha256::digest(self.0)))
    }

    /// Roll number `n`: faces drawn without bias from an HMAC over the secret, the seats' additions, the number and the
    /// question.
    #[must_use]
    pub fn roll(&self, entropies: &[String], n: u64, count: u32, die: Die, what: &str) -> Faces {
        let sides = u16::from(die.sides.max(1));
        // Bytes at or above the largest multiple of the sides are thrown away.
        let ceiling = 256 - 256 % sides;
        let mut faces = Vec::with_capacity(count as usize);
        let mut block = 0u64;
        while faces.len() < count as usize {
            let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key of any length will do");
            for part in entropies {
                mac.update(&(part.len() as u64).to_be_bytes());
                mac.update(part.as_bytes());
            }
            mac.update(&n.to_be_bytes());
            mac.update(&block.to_be_bytes());
            mac.update(format!("{count}{die} {what}").as_bytes());
            for byte in mac.finalize().into_bytes() {
                if u16::from(byte) < ceiling && faces.len() < count as usize {
                    faces.push((u16::from(byte) % sides) as u8 + 1);
                }
            }
            block += 1;
        }
        Faces(faces)
    }
}

impl Default for Secret {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Secret {
    /// Never shows the secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Secret({})", self.commitment().0)
    }
}

/// The hash of a secret, published when the game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Commitment(pub String);

impl Commitment {
    /// Whether its text is a hash at all.
    fn is_one(&self) -> bool {
        self.0.len() == 64 && self.0.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    }
}

/// How one seat takes part in fair dice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pledge {
    /// A computer's seat adds nothing.
    Computer,
    /// The seat has not committed itself yet.
    Awaited,
    /// The hash of what the seat adds, given before any seat revealed what it adds.
    Committed(Commitment),
    /// The seat chose to add nothing.
    Waived,
    /// The seat committed itself and then chose not to reveal what it had committed to.
    Withdrawn(Commitment),
}

/// What a seat does about fair dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Joining {
    /// Commits to 256 random bits by their SHA-256.
    Commit(Commitment),
    /// Reveals them, as 64 hexadecimal digits.
    Reveal(String),
    /// Adds nothing.
    Waive,
}

/// What the seats add to fair dice.
///
/// Every person's seat commits first and reveals when all have committed, so that no seat chooses its part by what
/// others add. No die is rolled before all have revealed or waived.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shares {
    /// What each seat added; empty for a seat that added nothing or has not revealed yet.
    pub entropies: Vec<String>,
    /// How each seat takes part. Empty where no seat commits: in games at one keyboard, and in records of format 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pledges: Vec<Pledge>,
}

impl Shares {
    /// Text that was added without any commitment.
    #[must_use]
    pub fn unpledged(entropies: Vec<String>) -> Self {
        Self { entropies, pledges: Vec::new() }
    }

    /// Nothing added yet; each seat takes part as its pledge says.
    #[must_use]
    pub fn pledged(pledges: Vec<Pledge>) -> Self {
        Self { entropies: vec![String::new(); pledges.len()], pledges }
    }

    /// The seats that keep the dice waiting: those that have to commit, or, when all have, those that have to reveal.
    #[must_use]
    pub fn missing(&self) -> Vec<Seat> {
        let seats = |wanted: &dyn Fn(&Pledge, &str) -> bool| -> Vec<Seat> {
            (0u8..)
                .zip(self.pledges.iter().zip(&self.entropies))
                .filter(|(_, (pledge, entropy))| wanted(pledge, entropy))
                .map(|(seat, _)| Seat(seat))
                .collect()
        };
        let uncommitted = seats(&|pledge, _| *pledge == Pledge::Awaited);
        if uncommitted.is_empty() {
            seats(&|pledge, entropy| matches!(pledge, Pledge::Committed(_)) && entropy.is_empty())
        } else {
            uncommitted
        }
    }

    /// Whether the dice can be rolled.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.missing().is_empty()
    }

    /// Takes what a seat does; false if that has been done before. What is refused changes nothing.
    pub fn join(&mut self, seat: Seat, joining: Joining) -> Result<bool, Refusal> {
        let at = usize::from(seat.0);
        let awaited = self.pledges.contains(&Pledge::Awaited);
        let (Some(pledge), Some(entropy)) = (self.pledges.get_mut(at), self.entropies.get_mut(at)) else {
            return Err(Refusal::new("dice-fixed", "Nothing can be added to the dice of this game."));
        };
        match (pledge.clone(), joining) {
            (Pledge::Awaited, Joining::Commit(commitment)) => {
                if !commitment.is_one() {
                    return Err(Refusal::new(
                        "bad-commitment",
                        "A commitment is a SHA-256 hash: 64 hexadecimal digits.",
                    )
                    .remedy("Write the digits a to f in lower case."));
                }
                *pledge = Pledge::Committed(commitment);
            }
            (Pledge::Awaited, Joining::Reveal(_)) => {
                return Err(Refusal::new("not-committed", "This seat has not committed to anything yet.")
                    .remedy("Send the SHA-256 of your 256 random bits first."));
            }
            (Pledge::Awaited, Joining::Waive) => *pledge = Pledge::Waived,
            (Pledge::Committed(old), Joining::Commit(new)) if old == new => return Ok(false),
            (Pledge::Committed(_), Joining::Reveal(text)) if !text.is_empty() && *entropy == text => return Ok(false),
            (Pledge::Committed(commitment), Joining::Reveal(text)) if entropy.is_empty() => {
                if awaited {
                    return Err(Refusal::new("too-early", "Other seats have yet to commit.")
                        .remedy("Reveal when every seat has committed."));
                }
                if !reveals(&text, &commitment) {
                    return Err(Refusal::new("wrong-reveal", "This is not what the seat has committed to.")
                        .remedy("Send the 256 bits as 64 hexadecimal digits in lower case."));
                }
                *entropy = text;
            }
            (Pledge::Committed(commitment), Joining::Waive) if entropy.is_empty() => {
                *pledge = Pledge::Withdrawn(commitment);
            }
            (Pledge::Waived | Pledge::Withdrawn(_) | Pledge::Computer, Joining::Waive) => return Ok(false),
            _ => return Err(Refusal::new("already-added", "This seat has already taken part in the dice.")),
        }
        Ok(true)
    }

    /// Checks what was revealed against the commitments, for a game with this number of seats.
    pub fn check(&self, seats: usize) -> Result<(), Refusal> {
        if self.pledges.is_empty() {
            return Ok(());
        }
        if self.pledges.len() != seats || self.entropies.len() != seats {
            return Err(Refusal::new("bad-record", "The record's dice do not name every seat once."));
        }
        for (at, (pledge, entropy)) in self.pledges.iter().zip(&self.entropies).enumerate() {
            let right = match pledge {
                Pledge::Committed(commitment) => entropy.is_empty() || reveals(entropy, commitment),
                _ => entropy.is_empty(),
            };
            if !right {
                return Err(Refusal::new(
                    "wrong-entropy",
                    format!("What seat {} added to the dice is not what it had committed to.", at + 1),
                ));
            }
        }
        Ok(())
    }
}

/// Whether a text is the 256 bits that a commitment is the hash of.
fn reveals(text: &str, commitment: &Commitment) -> bool {
    // One way to write it: the text itself goes into the dice.
    Secret::parse(text).is_some_and(|secret| secret.reveal() == text && secret.commitment() == *commitment)
}

/// Where the dice of a game come from.
#[derive(Clone, Debug)]
pub enum DiceSource {
    /// Fair dice that can be proved when the game is over.
    Committed {
        secret: Secret,
        /// What the seats add.
        shares: Shares,
    },
    /// Dice that follow from a number, for tests and studies. The number gives them all away.
    Seeded(u64),
    /// Real dice, typed in by hand.
    Typed,
}

impl DiceSource {
    /// Fair dice with a new secret, and what was added to it without commitments.
    #[must_use]
    pub fn committed(entropies: Vec<String>) -> Self {
        Self::shared(Shares::unpledged(entropies))
    }

    /// Fair dice with a new secret, to which the seats add.
    #[must_use]
    pub fn shared(shares: Shares) -> Self {
        DiceSource::Committed { secret: Secret::new(), shares }
    }
}

impl Dice for DiceSource {
    /// Roll number `n`; none if it has to be typed in, or if a seat has yet to take part.
    fn roll(&self, n: u64, count: u32, die: Die, what: &str) -> Option<Faces> {
        match self {
            DiceSource::Committed { secret, shares } => {
                shares.complete().then(|| secret.roll(&shares.entropies, n, count, die, what))
            }
            DiceSource::Seeded(seed) => Some(Chance::stream(*seed, n).faces(count, die)),
            DiceSource::Typed => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagplot_kernel::D6;

    #[test]
    fn a_roll_depends_on_everything_it_is_bound_to() {
        let secret = Secret::parse(&"ab".repeat(32)).unwrap();
        let roll = |entropies: &[&str], n, what| {
            secret.roll(&entropies.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>(), n, 20, D6, what)
        };
        let first = roll(&["x", "y"], 1, "attack");
        assert_eq!(first, roll(&["x", "y"], 1, "attack"));
        for other in [roll(&["xy", ""], 1, "attack"), roll(&["x", "y"], 2, "attack"), roll(&["x", "y"], 1, "defence")] {
            assert_ne!(first, other);
        }
    }

    #[test]
    fn faces_are_fair_by_chi_squared() {
        let secret = Secret::parse(&"17".repeat(32)).unwrap();
        let mut counts = [0u64; 6];
        for n in 0..600 {
            for face in secret.roll(&[], n, 100, D6, "fairness").0 {
                counts[face as usize - 1] += 1;
            }
        }
        let chi: f64 = counts.iter().map(|&count| (count as f64 - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 25.0, "{chi} {counts:?}");
    }

    #[test]
    fn a_secret_never_shows_itself() {
        let secret = Secret::new();
        assert!(!format!("{secret:?}").contains(&secret.reveal()));
        assert_eq!(Secret::parse(&secret.reveal()), Some(secret));
        assert_eq!(Secret::parse("zz"), None);
    }

    fn commit(secret: &Secret) -> Joining {
        Joining::Commit(secret.commitment())
    }

    #[test]
    fn no_die_is_rolled_before_all_have_committed_and_revealed() {
        let (ann, bob) = (Secret::new(), Secret::new());
        let mut shares = Shares::pledged(vec![Pledge::Awaited, Pledge::Computer, Pledge::Awaited]);
        let rolls = |shares: &Shares| DiceSource::shared(shares.clone()).roll(0, 3, D6, "attack").is_some();
        let code = |done: Result<bool, Refusal>| done.unwrap_err().code;
        assert_eq!(shares.missing(), [Seat(0), Seat(2)]);
        assert_eq!(code(shares.join(Seat(0), Joining::Reveal(ann.reveal()))), "not-committed");
        assert_eq!(shares.join(Seat(0), commit(&ann)), Ok(true));
        assert_eq!(shares.join(Seat(0), commit(&ann)), Ok(false));
        assert_eq!(code(shares.join(Seat(0), commit(&bob))), "already-added");
        assert_eq!(code(shares.join(Seat(0), Joining::Reveal(ann.reveal()))), "too-early");
        assert_eq!(code(shares.join(Seat(2), Joining::Commit(Commitment("x".repeat(64))))), "bad-commitment");
        assert_eq!(code(shares.join(Seat(1), commit(&bob))), "already-added");
        assert_eq!(code(shares.join(Seat(9), commit(&bob))), "dice-fixed");
        assert_eq!(shares.missing(), [Seat(2)]);
        assert_eq!(shares.join(Seat(2), commit(&bob)), Ok(true));
        assert_eq!(shares.missing(), [Seat(0), Seat(2)]);
        for wrong in [bob.reveal(), ann.reveal().to_uppercase(), String::new(), "+f".repeat(32)] {
            assert_eq!(code(shares.join(Seat(0), Joining::Reveal(wrong))), "wrong-reveal");
        }
        assert_eq!(shares.join(Seat(0), Joining::Reveal(ann.reveal())), Ok(true));
        assert!(!rolls(&shares));
        assert_eq!(shares.join(Seat(2), Joining::Reveal(bob.reveal())), Ok(true));
        assert!(rolls(&shares) && shares.check(3).is_ok());
        assert_eq!(code(shares.join(Seat(2), Joining::Waive)), "already-added");
        let mut forged = shares.clone();
        forged.entropies.swap(0, 2);
        assert_eq!(forged.check(3).unwrap_err().code, "wrong-entropy");
        forged.entropies = vec![ann.reveal(), "by hand".into(), bob.reveal()];
        assert_eq!(forged.check(3).unwrap_err().code, "wrong-entropy");
    }

    #[test]
    fn a_seat_that_adds_nothing_says_so() {
        let ann = Secret::new();
        let mut shares = Shares::pledged(vec![Pledge::Awaited, Pledge::Awaited]);
        shares.join(Seat(0), commit(&ann)).unwrap();
        shares.join(Seat(0), Joining::Waive).unwrap();
        assert!(!shares.complete());
        shares.join(Seat(1), Joining::Waive).unwrap();
        assert!(shares.complete());
        assert_eq!(shares.pledges, [Pledge::Withdrawn(ann.commitment()), Pledge::Waived]);
        assert_eq!(
            serde_json::to_value(&shares).unwrap(),
            serde_json::json!({
                "entropies": ["", ""],
                "pledges": [{"withdrawn": ann.commitment().0}, "waived"],
            })
        );
        assert!(shares.join(Seat(0), Joining::Reveal(ann.reveal())).is_err());
    }
}
