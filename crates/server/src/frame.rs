//! The part of a state that a stream keeps of what it has sent, so that it can send what has changed since.

use crate::delta::{self, Misfit};
use crate::failure::Failure;
use crate::wire::Written;
use flagplot_kernel::Seat;
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use serde::Serialize;
use serde_json::value::RawValue;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::sync::Arc;

/// JSON that is written once and sent many times, with its digest.
#[derive(Clone)]
pub struct Part {
    pub text: Written,
    digest: u32,
}

impl Part {
    pub fn new(text: Written) -> Self {
        let digest = delta::digest(text.get());
        Self { text, digest }
    }
}

/// A state for a viewer without log, chat, clocks and the computers that think: those are small or grow at the end.
#[derive(Clone)]
pub struct Frame {
    meta: Part,
    view: Part,
    scene: Part,
    /// A [`Moment`](flagplot_desk::Moment).
    moment: String,
    /// An [`Aside`].
    aside: String,
}

/// The lines of the log that a stream has sent, by their hashes: a line is sent again only if it has changed.
#[derive(Default)]
pub struct SentLog(Vec<u64>);

impl SentLog {
    /// Takes the lines after number `start`, all that there are; gives the new ones, and how many come before them.
    pub fn news(&mut self, start: usize, mut lines: Vec<Box<RawValue>>) -> (usize, Vec<Box<RawValue>>) {
        let hash = |line: &RawValue| {
            let mut hasher = DefaultHasher::new();
            line.get().hash(&mut hasher);
            hasher.finish()
        };
        let start = start.min(self.0.len());
        let hashes: Vec<u64> = lines.iter().map(|line| hash(line)).collect();
        let same = hashes.iter().zip(&self.0[start..]).take_while(|(a, b)| a == b).count();
        self.0.truncate(start + same);
        self.0.extend_from_slice(&hashes[same..]);
        lines.drain(..same);
        (start + same, lines)
    }
}

/// What a state has beside the description and the situation.
#[derive(Serialize)]
pub struct Aside<'a> {
    pub notes: &'a str,
    pub draw_offer: Option<Seat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rematch: Option<&'a str>,
}

/// The changes of large parts computed last: in a game without secrets, they are the same for every viewer.
#[derive(Default)]
pub struct Compared(Vec<(Written, Written, Option<Arc<str>>)>);

/// So many are kept: view and scene, for a seat on each side.
const MOST_COMPARED: usize = 4;

impl Compared {
    fn between(&mut self, Part { text: old, .. }: &Part, Part { text: new, .. }: &Part) -> Option<Arc<str>> {
        if Arc::ptr_eq(old, new) {
            return None;
        }
        let same = |(a, b, _): &&(Written, Written, _)| Arc::ptr_eq(a, old) && Arc::ptr_eq(b, new);
        if let Some((_, _, change)) = self.0.iter().find(same) {
            return change.clone();
        }
        let change: Option<Arc<str>> = delta::between(old.get(), new.get()).map(Into::into);
        if self.0.len() >= MOST_COMPARED {
            self.0.remove(0);
        }
        self.0.push((old.clone(), new.clone(), change.clone()));
        change
    }
}

impl Frame {
    pub fn new(
        meta: Part,
        [view, scene]: [Part; 2],
        moment: &impl Serialize,
        aside: &impl Serialize,
    ) -> Result<Self, serde_json::Error> {
        let (moment, aside) = (serde_json::to_string(moment)?, serde_json::to_string(aside)?);
        Ok(Self { meta, view, scene, moment, aside })
    }

    /// What makes this frame of an older one; see [`delta`] for its form.
    pub fn since(&self, old: &Frame, compared: &mut Compared) -> Result<String, Misfit> {
        let mut situation = delta::members(&old.moment, &self.moment)?;
        let mut all = delta::members(&old.aside, &self.aside)?;
        add(&mut situation, "view", compared.between(&old.view, &self.view).as_deref());
        add(&mut situation, "scene", compared.between(&old.scene, &self.scene).as_deref());
        let situation = (!situation.is_empty()).then(|| format!("{{{situation}}}"));
        add(&mut all, "situation", situation.as_deref());
        add(&mut all, "meta", delta::between(old.meta.text.get(), self.meta.text.get()).as_deref());
        Ok(format!("{{{all}}}"))
    }

    /// A number by which a client finds out whether it has the same frame.
    pub fn digest(&self) -> u32 {
        let small = [&self.moment, &self.aside].map(|text| delta::digest(text));
        delta::digest_of([&self.meta, &self.view, &self.scene].map(|part| part.digest).into_iter().chain(small))
    }

    /// The frame in a few kilobytes, for a stream that has been quiet for a while.
    pub fn pack(&self) -> Result<Box<[u8]>, Failure> {
        let [meta, view, scene] = [&self.meta, &self.view, &self.scene].map(|part| part.text.get());
        let parts = [meta, view, scene, &self.moment, &self.aside];
        let text = serde_json::to_vec(&parts).map_err(Failure::internal)?;
        let mut packed = Vec::new();
        DeflateEncoder::new(text.as_slice(), Compression::default())
            .read_to_end(&mut packed)
            .map_err(Failure::internal)?;
        Ok(packed.into())
    }

    pub fn unpack(packed: &[u8]) -> Result<Self, Failure> {
        let mut text = Vec::new();
        DeflateDecoder::new(packed).read_to_end(&mut text).map_err(Failure::internal)?;
        let [meta, view, scene, moment, aside]: [String; 5] =
            serde_json::from_slice(&text).map_err(Failure::internal)?;
        let part = |text| RawValue::from_string(text).map(|raw| Part::new(raw.into())).map_err(Failure::internal);
        Ok(Self { meta: part(meta)?, view: part(view)?, scene: part(scene)?, moment, aside })
    }
}

fn add(members: &mut String, name: &str, change: Option<&str>) {
    if let Some(change) = change {
        if !members.is_empty() {
            members.push(',');
        }
        members.push_str(&format!("\"{name}\":{change}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn part(value: &Value) -> Part {
        Part::new(serde_json::value::to_raw_value(value).unwrap().into())
    }

    fn frame(at: u32, places: [u32; 3]) -> Frame {
        let pieces: Vec<Value> =
            places.iter().enumerate().map(|(n, at)| json!({ "at": at, "id": format!("piece {n}") })).collect();
        let moment = json!({ "at": at, "question": null });
        let aside = Aside { notes: "é", draw_offer: None, rematch: None };
        Frame::new(part(&json!({ "title": "A" })), [part(&json!(at)), part(&pieces.into())], &moment, &aside).unwrap()
    }

    #[test]
    fn a_frame_that_was_put_away_makes_the_same_changes() {
        let (old, new) = (frame(1, [10, 20, 30]), frame(2, [10, 25, 30]));
        let back = Frame::unpack(&old.pack().unwrap()).unwrap();
        assert_eq!(back.digest(), old.digest());
        let change = new.since(&old, &mut Compared::default()).unwrap();
        assert_eq!(change, r#"{"situation":{"at":[2],"view":[2],"scene":[1,{"at":[25]}]}}"#);
        assert_eq!(new.since(&back, &mut Compared::default()).unwrap(), change);
        assert_eq!(old.since(&back, &mut Compared::default()).unwrap(), "{}");
        assert_ne!(new.digest(), old.digest());
    }

    #[test]
    fn a_line_of_the_log_is_sent_again_only_if_it_has_changed() {
        let lines = |texts: &[&str]| texts.iter().map(|text| serde_json::value::to_raw_value(text).unwrap()).collect();
        let mut sent = SentLog::default();
        let mut news = |start, texts: &[&str]| {
            let (after, new) = sent.news(start, lines(texts));
            (after, new.iter().map(|line| line.get().to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(news(0, &["a", "b"]), (0, vec![r#""a""#.to_owned(), r#""b""#.to_owned()]));
        assert_eq!(news(1, &["b", "c"]), (2, vec![r#""c""#.to_owned()]));
        assert_eq!(news(0, &["a", "x", "c"]), (1, vec![r#""x""#.to_owned(), r#""c""#.to_owned()]));
        assert_eq!(news(0, &["a"]), (1, Vec::new()));
        assert_eq!(news(1, &[]), (1, Vec::new()));
    }
}
