//! The client's half of a stream of changes.

use super::{Members, Misfit, apply, digest, digest_of, name};

/// The members of a state that changes are made of, in their order.
const FRAME: [&str; 5] = ["meta", "situation", "notes", "draw_offer", "rematch"];

/// A state that is kept up to date by changes: without log, chat, clocks and the computers that think.
pub struct Followed {
    pub version: u64,
    /// An object of `meta`, `situation`, `notes`, `draw_offer` and, if there is one, `rematch`.
    pub frame: String,
}

fn object<'a>(members: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = String::from("{");
    for (member, value) in members {
        if text.len() > 1 {
            text.push(',');
        }
        name(member, &mut text);
        text.push(':');
        text.push_str(value);
    }
    text.push('}');
    text
}

fn number(members: &Members<'_>, name: &str) -> Result<u64, Misfit> {
    members.get(name).and_then(|text| text.parse().ok()).ok_or(Misfit)
}

impl Followed {
    /// Begins with a whole state.
    pub fn begin(state: &str) -> Result<Self, Misfit> {
        let state = Members::read(state)?;
        let frame = object(FRAME.iter().filter_map(|name| Some((*name, state.get(name)?))));
        Ok(Self { version: number(&state, "version")?, frame })
    }

    /// Takes a change; if it does not fit, a whole state is needed.
    pub fn change(&mut self, change: &str) -> Result<(), Misfit> {
        let change = Members::read(change)?;
        if number(&change, "after")? != self.version {
            return Err(Misfit);
        }
        let frame = apply(&self.frame, change.get("change").ok_or(Misfit)?)?;
        if u64::from(frame_digest(&frame)?) != number(&change, "digest")? {
            return Err(Misfit);
        }
        self.frame = frame;
        self.version = number(&change, "version")?;
        Ok(())
    }
}

/// The digest of a frame, of its parts in this order: description, view, scene, the rest of the situation, all else.
fn frame_digest(frame: &str) -> Result<u32, Misfit> {
    let frame = Members::read(frame)?;
    let situation = Members::read(frame.get("situation").ok_or(Misfit)?)?;
    let without = |members: &Members<'_>, left_out: [&str; 2]| {
        let members = members.0.iter().map(|(name, value)| (name.as_ref(), *value));
        digest(&object(members.filter(|(name, _)| !left_out.contains(name))))
    };
    let part = |members: &Members<'_>, name: &str| members.get(name).map(digest).ok_or(Misfit);
    Ok(digest_of([
        part(&frame, "meta")?,
        part(&situation, "view")?,
        part(&situation, "scene")?,
        without(&situation, ["view", "scene"]),
        without(&frame, ["meta", "situation"]),
    ]))
}
