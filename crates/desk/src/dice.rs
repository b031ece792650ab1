use flagplot_kernel::{Chance, Dice, Die, Faces};
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

/// The secret of a game's dice: 256 bits that nobody knows until the game is over.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl Secret {
    /// A new secret from the operating system.
    #[must_use]
    pub fn new() -> Self {
        Self(os_random())
    }

    /// The secret with this text.
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

    /// Roll number `n`: faces drawn without bias from an HMAC over the secret, what the seats have added, the number and the question.
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

/// Where the dice of a game come from.
#[derive(Clone, Debug)]
pub enum DiceSource {
    /// Fair dice that can be proved when the game is over.
    Committed {
        /// The secret.
        secret: Secret,
        /// What each seat added after it had seen the commitment.
        entropies: Vec<String>,
    },
    /// Dice that follow from a number, for tests and studies: whoever knows it knows them all.
    Seeded(u64),
    /// Real dice, typed in by hand.
    Typed,
}

impl DiceSource {
    /// Fair dice with a new secret.
    #[must_use]
    pub fn committed(entropies: Vec<String>) -> Self {
        DiceSource::Committed { secret: Secret::new(), entropies }
    }
}

impl Dice for DiceSource {
    /// Roll number `n`; none if somebody has to type it in.
    fn roll(&self, n: u64, count: u32, die: Die, what: &str) -> Option<Faces> {
        match self {
            DiceSource::Committed { secret, entropies } => Some(secret.roll(entropies, n, count, die, what)),
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
}
