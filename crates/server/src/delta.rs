//! What changed between two JSON texts, itself as JSON.
//!
//! [`between`] compares texts and takes apart only what differs; [`apply`] makes the new text of the old one, byte for
//! byte. A change has one of these forms, and the shortest is written:
//!
//! | change | of | means |
//! |---|---|---|
//! | `[value]` | anything | it is now this value |
//! | `{"a": change, "b": null}` | an object | `a` changes, or is new and comes last; `b` is gone |
//! | `[["b", "a"], {"a": change}]` | an object | it has these members in this order; those listed change or are new |
//! | `[2, -1, [value], {"a": change}]` | a list | 2 items stay, 1 is gone, 1 is new, the next changes; the rest stays |
//!
//! The change of a list begins with a number and has at least two items, so that it is no `[value]`.

mod follow;

pub use follow::Followed;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

/// A change that does not fit the text it is applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit;

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the change does not fit what it is applied to")
    }
}

impl std::error::Error for Misfit {}

impl From<serde_json::Error> for Misfit {
    fn from(_: serde_json::Error) -> Self {
        Misfit
    }
}

#[derive(serde::Deserialize, PartialEq, Eq, Hash, Clone)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// The members of an object, in order, as text.
struct Members<'a>(Vec<(Cow<'a, str>, &'a str)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry::<Name<'de>, &'de RawValue>()? {
                    members.push((name, value.get()));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

impl<'a> Members<'a> {
    fn read(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// The members by name; small objects are searched instead.
    fn index(&self) -> HashMap<&str, &'a str> {
        self.0.iter().map(|(name, value)| (name.as_ref(), *value)).collect()
    }
}

fn items(text: &str) -> Result<Vec<&str>, serde_json::Error> {
    let items: Vec<&RawValue> = serde_json::from_str(text)?;
    Ok(items.into_iter().map(RawValue::get).collect())
}

/// The change that makes `new` of `old`; none if they are the same.
#[must_use]
pub fn between(old: &str, new: &str) -> Option<String> {
    if old == new {
        return None;
    }
    let mut text = String::new();
    write(old, new, &mut text);
    Some(text)
}

/// The members of `{…}` that make `new` of `old`, two objects with the same members but perhaps for a new one at the
/// end: `"a":change,"b":change`. Empty if they are the same.
pub fn members(old: &str, new: &str) -> Result<String, Misfit> {
    let mut text = String::new();
    if old != new {
        object(old, new, &mut text)?;
    }
    match text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
        Some(members) => Ok(members.to_owned()),
        None if text.is_empty() => Ok(text),
        None => Err(Misfit),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrote {
    /// `[value]`.
    Value,
    /// Any other form.
    Parts,
}

/// Writes the change between two texts that differ.
fn write(old: &str, new: &str, out: &mut String) -> Wrote {
    let start = out.len();
    // Texts that cannot be taken apart are sent whole.
    let parts = match (old.as_bytes().first(), new.as_bytes().first()) {
        (Some(b'{'), Some(b'{')) => object(old, new, out).is_ok(),
        (Some(b'['), Some(b'[')) => list(old, new, out).is_ok(),
        _ => false,
    };
    if parts && out.len() - start < new.len() + 2 {
        return Wrote::Parts;
    }
    out.truncate(start);
    value(new, out);
    Wrote::Value
}

fn value(new: &str, out: &mut String) {
    out.push('[');
    out.push_str(new);
    out.push(']');
}

fn name(name: &str, out: &mut String) {
    // A string is always written.
    out.push_str(&serde_json::to_string(name).unwrap_or_default());
}

fn object(old: &str, new: &str, out: &mut String) -> Result<(), serde_json::Error> {
    let (old, new) = (Members::read(old)?, Members::read(new)?);
    let known = old.index();
    let left = new.index();
    let kept = || old.0.iter().filter(|(name, _)| left.contains_key(name.as_ref())).map(|(name, _)| name);
    let news = || new.0.iter().filter(|(name, _)| !known.contains_key(name.as_ref())).map(|(name, _)| name);
    // New members come last, and the others have kept their order.
    let plain = kept().chain(news()).eq(new.0.iter().map(|(name, _)| name));
    if !plain {
        out.push_str("[[");
        for (n, (member, _)) in new.0.iter().enumerate() {
            if n > 0 {
                out.push(',');
            }
            name(member, out);
        }
        out.push_str("],");
    }
    out.push('{');
    let mut first = true;
    let mut begin = |member: &str, out: &mut String| {
        if !std::mem::take(&mut first) {
            out.push(',');
        }
        name(member, out);
        out.push(':');
    };
    if plain {
        for (member, _) in old.0.iter().filter(|(name, _)| !left.contains_key(name.as_ref())) {
            begin(member, out);
            out.push_str("null");
        }
    }
    for (member, now) in &new.0 {
        match known.get(member.as_ref()) {
            Some(before) if before == now => {}
            Some(before) => {
                begin(member, out);
                write(before, now, out);
            }
            None => {
                begin(member, out);
                value(now, out);
            }
        }
    }
    out.push('}');
    if !plain {
        out.push(']');
    }
    Ok(())
}

/// The change of a list while it is written.
struct Script<'a> {
    out: &'a mut String,
    items: usize,
    /// How many items stay, or are gone if below 0, and are not written yet.
    run: i64,
}

impl Script<'_> {
    fn next(&mut self) {
        self.out.push(if self.items == 0 { '[' } else { ',' });
        self.items += 1;
    }

    fn flush(&mut self) {
        if self.run != 0 || self.items == 0 {
            self.next();
            self.out.push_str(&self.run.to_string());
            self.run = 0;
        }
    }

    fn stay(&mut self) {
        if self.run < 0 {
            self.flush();
        }
        self.run += 1;
    }

    fn gone(&mut self) {
        if self.run > 0 {
            self.flush();
        }
        self.run -= 1;
    }

    fn new_item(&mut self, item: &str) {
        self.flush();
        self.next();
        value(item, self.out);
    }

    fn becomes(&mut self, old: &str, new: &str) {
        if old == new {
            return self.stay();
        }
        let mut text = String::new();
        match write(old, new, &mut text) {
            Wrote::Value => {
                self.gone();
                self.new_item(new);
            }
            Wrote::Parts => {
                self.flush();
                self.next();
                self.out.push_str(&text);
            }
        }
    }

    fn end(mut self) {
        // What stays at the end goes without saying.
        if self.run < 0 || self.items == 0 {
            self.flush();
        }
        if self.items == 1 {
            self.out.push_str(",0");
        }
        self.out.push(']');
    }
}

/// What an item is known by among its neighbours: its id, or, unless it is made of parts, itself.
fn identity(item: &str) -> Option<&str> {
    match item.as_bytes().first() {
        Some(b'{') => Members::read(item).ok()?.get("id"),
        Some(b'[') => None,
        _ => Some(item),
    }
}

fn list(old: &str, new: &str, out: &mut String) -> Result<(), serde_json::Error> {
    let (old, new) = (items(old)?, items(new)?);
    let same_start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[same_start..], &new[same_start..]);
    let same_end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - same_end], &new[..new.len() - same_end]);
    let mut script = Script { out, items: 0, run: same_start as i64 };
    let known: Vec<Option<&str>> = old.iter().map(|item| identity(item)).collect();
    let wanted: Vec<Option<&str>> = new.iter().map(|item| identity(item)).collect();
    let (mut from, mut to) = (0, 0);
    for (before, now) in anchors(&known, &wanted).into_iter().chain([(old.len(), new.len())]) {
        // Between two items that both lists have, those without an identity are taken for each other.
        while from < before || to < now {
            match (from < before, to < now) {
                (true, true) if known[from].is_none() && wanted[to].is_none() => {
                    script.becomes(old[from], new[to]);
                    (from, to) = (from + 1, to + 1);
                }
                (true, _) => {
                    script.gone();
                    from += 1;
                }
                (false, _) => {
                    script.new_item(new[to]);
                    to += 1;
                }
            }
        }
        if let (Some(before), Some(now)) = (old.get(before), new.get(now)) {
            script.becomes(before, now);
            (from, to) = (from + 1, to + 1);
        }
    }
    script.end();
    Ok(())
}

/// The places of items that both lists have, in an order that both share; as many as possible.
fn anchors(known: &[Option<&str>], wanted: &[Option<&str>]) -> Vec<(usize, usize)> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, id) in known.iter().enumerate().rev() {
        if let Some(id) = id {
            places.entry(id).or_default().push(at);
        }
    }
    let pairs: Vec<(usize, usize)> =
        wanted.iter().enumerate().filter_map(|(to, id)| Some((places.get_mut(id.as_ref()?)?.pop()?, to))).collect();
    // The longest rising row: `ends[n]` is the pair that ends the best row of n + 1 pairs so far.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (n, (from, _)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].0 < *from);
        before.push(length.checked_sub(1).map(|last| ends[last]));
        if length < ends.len() {
            ends[length] = n;
        } else {
            ends.push(n);
        }
    }
    let mut row: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |n| before[*n]).map(|n| pairs[n]).collect();
    row.reverse();
    row
}

/// The text that a change makes of another.
pub fn apply(old: &str, change: &str) -> Result<String, Misfit> {
    let mut out = String::with_capacity(old.len() + change.len());
    rewrite(old, change, &mut out)?;
    Ok(out)
}

fn rewrite(old: &str, change: &str, out: &mut String) -> Result<(), Misfit> {
    if change.starts_with('{') {
        let edits = Members::read(change)?;
        let old = Members::read(old)?;
        let known = old.index();
        let edited = edits.index();
        let kept = old.0.iter().filter(|(name, _)| edited.get(name.as_ref()) != Some(&"null"));
        let added = edits.0.iter().filter(|(name, _)| !known.contains_key(name.as_ref()));
        return assemble(kept.chain(added).map(|(name, _)| name.as_ref()), &known, &edited, out);
    }
    let parts = items(change)?;
    match parts.as_slice() {
        [value] => out.push_str(value),
        [order, edits] if order.starts_with('[') => {
            let order: Vec<Name<'_>> = serde_json::from_str(order)?;
            let (old, edits) = (Members::read(old)?, Members::read(edits)?);
            return assemble(order.iter().map(|name| name.0.as_ref()), &old.index(), &edits.index(), out);
        }
        script => return relist(&items(old)?, script, out),
    }
    Ok(())
}

fn assemble<'n>(
    order: impl Iterator<Item = &'n str>,
    known: &HashMap<&str, &str>,
    edits: &HashMap<&str, &str>,
    out: &mut String,
) -> Result<(), Misfit> {
    out.push('{');
    for (n, member) in order.enumerate() {
        if n > 0 {
            out.push(',');
        }
        name(member, out);
        out.push(':');
        match (known.get(member), edits.get(member)) {
            (Some(before), Some(change)) => rewrite(before, change, out)?,
            (Some(before), None) => out.push_str(before),
            // A new member has no former value that a change in parts could fit.
            (None, Some(change)) => rewrite("null", change, out)?,
            (None, None) => return Err(Misfit),
        }
    }
    out.push('}');
    Ok(())
}

fn relist(old: &[&str], script: &[&str], out: &mut String) -> Result<(), Misfit> {
    let mut left = old.iter();
    let mut made: Vec<Cow<'_, str>> = Vec::with_capacity(old.len());
    for part in script {
        if let Ok(run) = part.parse::<i64>() {
            let length = usize::try_from(run.unsigned_abs()).map_err(|_| Misfit)?;
            if length > left.len() {
                return Err(Misfit);
            }
            let items = left.by_ref().take(length).map(|item| Cow::Borrowed(*item));
            if run > 0 {
                made.extend(items);
            } else {
                items.for_each(drop);
            }
        } else if let Some(new) = single(part)? {
            made.push(Cow::Borrowed(new));
        } else {
            made.push(Cow::Owned(apply(left.next().ok_or(Misfit)?, part)?));
        }
    }
    made.extend(left.map(|item| Cow::Borrowed(*item)));
    out.push('[');
    out.push_str(&made.join(","));
    out.push(']');
    Ok(())
}

/// The value of a `[value]`.
fn single(part: &str) -> Result<Option<&str>, Misfit> {
    if !part.starts_with('[') {
        return Ok(None);
    }
    match items(part)?.as_slice() {
        [value] => Ok(Some(*value)),
        _ => Ok(None),
    }
}

/// A number that two texts share only if they are the same, but for an accident: FNV-1a over 32-bit words, the last one
/// filled up with zeros, of the text in a browser's order. It finds mistakes; it proves nothing.
#[must_use]
pub fn digest(text: &str) -> u32 {
    let text = in_browser_order(text);
    let mut words = text.as_bytes().chunks_exact(4);
    let mut sum = 0x811c_9dc5_u32;
    let mut add = |word: u32| sum = (sum ^ word).wrapping_mul(0x0100_0193);
    for word in &mut words {
        add(u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    }
    let mut last = [0; 4];
    last[..words.remainder().len()].copy_from_slice(words.remainder());
    add(u32::from_le_bytes(last));
    add(text.len() as u32);
    sum
}

/// The text that a browser writes after it has read this one: it puts members whose names are numbers first. Digests
/// are those of this text.
#[must_use]
pub fn in_browser_order(text: &str) -> Cow<'_, str> {
    // A quick look, which may be wrong about a string that looks like a name, saves taking apart almost every text.
    let bytes = text.as_bytes();
    let numbered = (1..bytes.len()).any(|at| {
        let rest = &bytes[at..];
        bytes[at - 1] == b'"' && rest[0].is_ascii_digit() && {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            rest[digits..].starts_with(b"\":")
        }
    });
    let mut out = String::new();
    if numbered && reorder(text, &mut out).is_ok() { out.into() } else { text.into() }
}

/// The number that a browser takes a name for, if it does.
fn index(name: &str) -> Option<u32> {
    name.parse().ok().filter(|number: &u32| *number != u32::MAX && number.to_string() == name)
}

fn reorder(text: &str, out: &mut String) -> Result<(), serde_json::Error> {
    let begin = |n: usize, out: &mut String| {
        if n > 0 {
            out.push(',');
        }
    };
    match text.as_bytes().first() {
        Some(b'{') => {
            let mut members = Members::read(text)?.0;
            members.sort_by_key(|(name, _)| index(name).map_or(u64::MAX, u64::from));
            out.push('{');
            for (n, (member, value)) in members.iter().enumerate() {
                begin(n, out);
                name(member, out);
                out.push(':');
                reorder(value, out)?;
            }
            out.push('}');
        }
        Some(b'[') => {
            out.push('[');
            for (n, item) in items(text)?.into_iter().enumerate() {
                begin(n, out);
                reorder(item, out)?;
            }
            out.push(']');
        }
        _ => out.push_str(text),
    }
    Ok(())
}

/// One digest for several.
#[must_use]
pub fn digest_of(digests: impl IntoIterator<Item = u32>) -> u32 {
    digests.into_iter().fold(0x811c_9dc5, |sum, digest| (sum ^ digest).wrapping_mul(0x0100_0193))
}
