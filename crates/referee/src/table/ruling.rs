//! How a deed is carried out.

use super::deed::DiceDue;
use super::facts::{Open, at, capital, fill_in, listed, may_be_empty, open, put, trim};
use super::game::Table;
use super::kept;
use super::losses::LossesDue;
use super::object::SCENARIO;
use super::plan::{Planned, refuse};
use super::words::{plain, told_wrong};
use super::{Act, Before, Cast, Count, Demand, Object, Owed, Place, State};
use crate::{About, Attempt, FollowUp, Pick, Shape, System};
use flagplot_kernel::{Ask, Asked, Die, Note, Refusal, Seat};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The longest chain of what follows from one act.
const LONGEST_CHAIN: usize = 200;

/// An act that can be ruled on.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    pub act: usize,
    pub cast: BTreeMap<String, Vec<String>>,
    pub part: Option<String>,
    pub told: Map<String, Value>,
    pub carried: Vec<(String, String)>,
    /// The number of what is owed and done by this.
    pub owed: Option<u32>,
    pub by: Seat,
}

impl<S: System + Send + Sync + ?Sized + 'static> Table<S> {
    #[allow(clippy::too_many_arguments, reason = "the parts of one deed")]
    pub(super) fn merged(
        &self,
        state: &State,
        act: &str,
        mut cast: BTreeMap<String, Vec<String>>,
        part: Option<String>,
        facts: Map<String, Value>,
        owed: Option<u32>,
        by: Seat,
    ) -> Result<Ready, Refusal> {
        let at =
            self.acts.iter().position(|known| known.id == act).ok_or_else(|| {
                refuse("unknown-act", "This table has no such act.").remedy("Choose one from the list.")
            })?;
        let mut told = Map::new();
        let mut carried = Vec::new();
        if let Some(number) = owed {
            let due = state.chain.first().into_iter().chain(&state.owed).find(|due| due.number == number);
            let due = due.filter(|due| due.act == act).ok_or_else(|| refuse("not-owed", "This is no longer due."))?;
            for (role, ids) in &due.cast {
                cast.entry(role.clone()).or_insert_with(|| ids.clone());
            }
            told.clone_from(&due.facts);
            carried.clone_from(&due.carried);
        } else if let Some(first) = state.chain.first().filter(|_| self.system.measures() != Some(act)) {
            return Err(
                refuse("still-owed", format!("This comes first: {}.", first.why)).remedy("Rule on it, or waive it.")
            );
        }
        told.extend(facts);
        if state.remembers() {
            kept::recall(&self.acts[at], state, &cast, &mut told);
        }
        Ok(Ready { act: at, cast, part, told, carried, owed, by })
    }

    /// Whether an act can be ruled on: the right objects, all facts, and nothing that the procedure refuses.
    pub(super) fn check_ready(&self, state: &State, ready: &Ready) -> Result<(), Refusal> {
        let act = &self.acts[ready.act];
        self.check_cast(state, act, ready)?;
        let (_, input, open) = self.assembled(state, ready);
        let missing: Vec<&str> = open
            .iter()
            .filter(|open| open.need && open.default.is_none() && at(&input, &open.path).is_null())
            .filter(|open| !ready.told.contains_key(&open.path) || !self.may_be_null(act, &open.path))
            .map(|open| open.label.as_str())
            .collect();
        if !missing.is_empty() {
            return Err(refuse("not-told", format!("{}: still needed: {}.", act.title, listed(&missing))));
        }
        let known = self.known_paths(state, ready);
        let (_, about) = self.procedure(act.procedure)?;
        let is_field = |name: &str| {
            let first = name.split('.').next();
            matches!(&about.input, Shape::Record { fields } if fields.iter().any(|field| Some(field.name) == first))
        };
        let names = |name: &String| {
            let within =
                |path: &str| path == name || path.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.'));
            open.iter().any(|open| within(&open.path))
                || act.extras.iter().any(|extra| extra.id == name)
                || known.contains(name)
                || is_field(name)
        };
        if let Some(name) = ready.told.keys().find(|name| !names(name)) {
            let shown = name.rsplit('.').next().unwrap_or(name).replace('_', " ");
            return Err(refuse(
                "unknown-fact",
                format!("{}: “{}” is not used here.", act.title, shown.chars().take(60).collect::<String>()),
            ));
        }
        for extra in &act.extras {
            if let Some(value) = ready.told.get(extra.id) {
                let checked = extra.shape.check(value.clone(), extra.label, &self.system.codes());
                checked.map_err(|refusal| self.in_words(state, ready, &input, &open, refusal))?;
            }
        }
        let told = input.clone();
        let plain = |refusal| self.in_words(state, ready, &told, &open, refusal);
        if let Some(stopped) = self.opening(state, ready).map_err(plain)? {
            // What comes first has dice of its own or ends the act: the procedure itself is checked as far as it is
            // known.
            if stopped {
                return Ok(());
            }
        }
        let (procedure, about) = self.procedure(act.procedure)?;
        procedure.attempt(&about.input, input, &[], &self.system.codes()).map(drop).map_err(plain)
    }

    /// Looks at what comes before an act without dice: whether it ends the act.
    fn opening(&self, state: &State, ready: &Ready) -> Result<Option<bool>, Refusal> {
        let act = &self.acts[ready.act];
        let mut ruled: Vec<(&'static str, Value)> = Vec::new();
        loop {
            match self.system.before(act.id, &ready.cast_on(state), &ruled) {
                Before::Go(_) => return Ok(None),
                Before::Stop(_) => return Ok(Some(true)),
                Before::Refuse(refusal) => return Err(refusal),
                Before::Rule { procedure: name, input } => {
                    let (procedure, about) = self.procedure(name)?;
                    match procedure.attempt(&about.input, input, &[], &self.system.codes())? {
                        Attempt::Done(ruling) => ruled.push((name, ruling.result)),
                        Attempt::Needs { .. } => return Ok(Some(false)),
                    }
                }
            }
        }
    }

    fn check_cast(&self, state: &State, act: &Act, ready: &Ready) -> Result<(), Refusal> {
        let wrong = |text: String| refuse("wrong-object", format!("{}: {text}.", act.title));
        if let Some(role) = ready.cast.keys().find(|role| act.find(role).is_none()) {
            return Err(wrong(format!("there is no part called {}", role.chars().take(60).collect::<String>())));
        }
        for role in &act.roles {
            let ids = ready.cast.get(role.id).map(Vec::as_slice).unwrap_or_default();
            let title = role.title.to_lowercase();
            if ids.is_empty() && !may_be_empty(role.count) && state.version() >= role.since {
                return Err(wrong(format!("choose the {title}")));
            }
            if ids.len() > 1 && matches!(role.count, Count::One | Count::Optional) {
                return Err(wrong(format!("choose only one {title}")));
            }
            for (at, id) in ids.iter().enumerate() {
                let object = state.object(id).ok_or_else(|| wrong(format!("the {title} is not on the table")))?;
                if ids[..at].contains(id) {
                    return Err(wrong(format!("{} is chosen twice", object.name)));
                }
                if !role.kinds.contains(&object.kind.as_str()) {
                    return Err(wrong(format!("{} cannot be the {title}", object.name)));
                }
                if !object.in_play() && ready.owed.is_none() {
                    return Err(wrong(format!("{} is {}", object.name, object.gone)));
                }
                if role.acts && ready.owed.is_none() && ready.by != Seat(0) && object.player != Some(ready.by.0) {
                    return Err(refuse("not-your-ship", format!("You do not act for {}.", object.name))
                        .remedy("Act for your own, or ask the referee."));
                }
            }
            if let (Some(what), Some(object)) = (role.part, ids.first().and_then(|id| state.object(id))) {
                let parts = self.system.parts(act.id, role.id, object);
                match &ready.part {
                    None if parts.len() > 1 => {
                        return Err(wrong(format!("choose the {} of {}", what.to_lowercase(), object.name)));
                    }
                    Some(part) if !parts.iter().any(|known| known.id == *part) => {
                        return Err(wrong(format!("{} has no such {}", object.name, what.to_lowercase())));
                    }
                    _ => {}
                }
            }
        }
        if ready.by != Seat(0) && ready.owed.is_none() && !act.roles.iter().any(|role| role.acts) {
            return Err(refuse("referee-only", format!("Only the referee rules on this: {}.", act.title)));
        }
        Ok(())
    }

    pub(super) fn procedure(&self, name: &str) -> Result<(&dyn crate::AnyProcedure, &About), Refusal> {
        let at = self.index.abouts().iter().position(|about| about.name == name);
        at.and_then(|at| Some((self.system.procedures().get(at)?.as_ref(), self.index.abouts().get(at)?)))
            .ok_or_else(|| refuse("internal", format!("No procedure is called {name}.")))
    }

    fn known_paths(&self, state: &State, ready: &Ready) -> Vec<String> {
        self.system.fit(self.acts[ready.act].id, &ready.cast_on(state)).into_iter().map(|known| known.path).collect()
    }

    /// What is known, the input with what was told, and the fields that were or are still to be told.
    pub(super) fn assembled(&self, state: &State, ready: &Ready) -> (Vec<super::Known>, Value, Vec<Open>) {
        let act = &self.acts[ready.act];
        let Ok((_, about)) = self.procedure(act.procedure) else { return (Vec::new(), Value::Null, Vec::new()) };
        let known = self.system.fit(act.id, &ready.cast_on(state));
        let mut input = Value::Object(Map::new());
        for fact in &known {
            put(&mut input, &fact.path, fact.value.clone());
        }
        for (path, id) in &ready.carried {
            if let Some(item) = self.library.iter().find(|item| item.id == *id) {
                put(&mut input, path, item.value.clone());
            }
        }
        trim(&about.input, &mut input);
        fill_in(&about.input, &mut input);
        let mut open = open(act, &about.input, &input);
        for one in &mut open {
            one.label = self.item_label(state, ready, &input, &one.path, &one.label);
        }
        for (path, value) in &ready.told {
            if act.extras.iter().all(|extra| extra.id != path) {
                put(&mut input, path, value.clone());
            }
        }
        (known, input, open)
    }

    /// The words for a fact, with the object that it is about where it is one of a list.
    pub(super) fn item_label(&self, state: &State, ready: &Ready, input: &Value, path: &str, label: &str) -> String {
        for role in self.acts[ready.act].roles.iter().filter(|role| matches!(role.count, Count::Many | Count::Any)) {
            let list = role.path.split(".*").next().unwrap_or(role.path);
            let item = path.strip_prefix(list).and_then(|rest| rest.strip_prefix('.')?.split('.').next()?.parse().ok());
            let Some(item): Option<usize> = item else { continue };
            // An item that has the name of an object is that object.
            let name = at(input, &format!("{list}.{item}.id"));
            let named = state.objects.iter().find(|object| *name == *object.name);
            if let Some(object) = named.or_else(|| ready.cast_on(state).many(role.id).get(item).copied()) {
                return format!("{}: {label}", object.name);
            }
        }
        label.to_owned()
    }

    /// A refusal as a person reads it: what is wrong with a fact that was told, by its label, or else what the
    /// procedure says.
    fn in_words(&self, state: &State, ready: &Ready, input: &Value, open: &[Open], refusal: Refusal) -> Refusal {
        let act = &self.acts[ready.act];
        let wrong = |(path, value): (&String, &Value)| {
            if value.is_null() && self.may_be_null(act, path) {
                return None;
            }
            if let Some(extra) = act.extras.iter().find(|extra| extra.id == path) {
                return told_wrong(extra.label, &extra.shape, None, None, value);
            }
            let words = act.words(path);
            if let Some(open) = open.iter().find(|open| open.path == *path) {
                return told_wrong(&open.label, &open.shape, open.unit, words, value);
            }
            let label = self.item_label(state, ready, input, path, words?.label);
            let (shape, unit) = super::field_of(&self.procedure(act.procedure).ok()?.1.input, path)?;
            told_wrong(&label, &shape, unit, words, value)
        };
        match ready.told.iter().find_map(wrong) {
            Some(message) => Refusal {
                message: format!("{}: {message}", act.title),
                remedy: Some("Type another value.".to_owned()),
                also: Vec::new(),
                ..refusal
            },
            None => plain(act, open, state, refusal),
        }
    }

    /// Whether nothing is an answer at a place of an act's input.
    fn may_be_null(&self, act: &Act, path: &str) -> bool {
        let (record, name) = path.rsplit_once('.').unwrap_or(("", path));
        let Ok((_, about)) = self.procedure(act.procedure) else { return false };
        let whole = Some((about.input.clone(), None));
        let record = if record.is_empty() { whole } else { super::field_of(&about.input, record) };
        matches!(record, Some((Shape::Record { fields }, _))
            if fields.iter().any(|field| field.name == name && matches!(field.shape, Shape::Nullable { .. })))
    }

    /// Takes a step: what follows by itself, or what the referee does next.
    pub(super) fn take_step(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        if let Some(first) = state.chain.first() {
            let act = self.acts.iter().position(|act| act.id == first.act);
            let ready = act.map(|act| Ready {
                act,
                cast: first.cast.clone(),
                part: None,
                told: first.facts.clone(),
                carried: first.carried.clone(),
                owed: Some(first.number),
                by: Seat(first.by),
            });
            if let Some(ready) = ready.filter(|ready| self.check_ready(state, ready).is_ok()) {
                return self.rule(state, &ready, ask);
            }
        }
        let value = ask.decide(&super::deed::NextDeed { table: self, state })?;
        match self.planned(state, &value) {
            Ok(planned) => self.carry_out(state, planned, ask),
            Err(refusal) => Err(ask.refuse(refusal)),
        }
    }

    fn carry_out(&self, state: &mut State, planned: Planned, ask: &mut impl Ask) -> Asked<()> {
        match planned {
            Planned::Act(ready) => return self.rule(state, &ready, ask),
            Planned::Add(objects, scenario) => {
                if let Some((id, sides)) = scenario {
                    state.sides = sides;
                    if state.remembers() {
                        state.marks.insert(SCENARIO.to_owned(), id.into());
                    }
                }
                let from = state.objects.len();
                let fresh = state.rulings == 0 && state.turn == 1 && state.phase == 0;
                let opening = fresh && (from == 0 || state.owes());
                objects.into_iter().for_each(|object| state.add(object));
                let version = state.version();
                self.system.joined(&mut state.objects[from..], version);
                let names: Vec<&str> = state.objects[from..].iter().map(|object| object.name.as_str()).collect();
                let joins = if names.len() == 1 { "joins" } else { "join" };
                ask.note(|| Note::new("forces", format!("{} {joins} the table", listed(&names))));
                if opening {
                    // Who takes part is known as the forces come.
                    state.owed.clear();
                    self.phase_begins(state);
                }
            }
            Planned::Next => self.next_phase(state, ask),
            Planned::Waive(number) => {
                let all = state.chain.iter().chain(&state.owed);
                let why = all.into_iter().find(|owed| owed.number == number).map(|owed| owed.why.clone());
                state.chain.retain(|owed| owed.number != number);
                state.owed.retain(|owed| owed.number != number);
                ask.note(|| Note::new("waived", format!("The referee waives this: {}", why.unwrap_or_default())));
            }
            Planned::Place(id, place) => self.change(state, &id, |object| object.place = place, "placed", ask),
            Planned::Give(id, player) => {
                let name = state.name(&id).to_owned();
                if let Some(object) = state.objects.iter_mut().find(|object| object.id == id) {
                    object.player = player;
                }
                ask.note(|| {
                    let who = player.map_or("The referee".to_owned(), |player| format!("Player {player}"));
                    Note::new("given", format!("{who} acts for {name}"))
                });
            }
            Planned::Remove(id) => {
                let name = state.name(&id).to_owned();
                state.objects.retain(|object| object.id != id);
                kept::forget(state, &id);
                let without = |owed: &Owed| owed.cast.values().all(|ids| !ids.contains(&id));
                state.chain.retain(without);
                state.owed.retain(without);
                ask.note(|| Note::new("removed", format!("{name} leaves the table")));
            }
            Planned::Correct(id, field, value, sheet) => {
                let name = state.name(&id).to_owned();
                let limits = state.limits_figures();
                if let Some(object) = state.objects.iter_mut().find(|object| object.id == id) {
                    object.value = sheet;
                    object.gone = if limits { self.system.still_gone(object) } else { self.system.gone(object) };
                }
                ask.note(|| {
                    let known = state.object(&id).map(|object| self.system.figures(object)).unwrap_or_default();
                    let figure = known.into_iter().find(|figure| figure.field == field).map(|figure| figure.label);
                    let figure = figure.unwrap_or_else(|| capital(&field.replace(['_', '.'], " ")));
                    let value = super::figures::spoken(&value);
                    Note::new("corrected", format!("The referee corrects {name}: {figure} {value}")).pieces([&id])
                });
            }
            Planned::Sides(names) => {
                ask.note(|| Note::new("sides", format!("The sides are {} and {}", names[0], names[1])));
                state.sides = names;
            }
            Planned::Close => {
                state.closed = true;
                ask.note(|| Note::new("closed", "The referee closes the table"));
            }
        }
        Ok(())
    }

    fn change(
        &self,
        state: &mut State,
        id: &str,
        change: impl FnOnce(&mut Object),
        what: &'static str,
        ask: &mut impl Ask,
    ) {
        if let Some(object) = state.objects.iter_mut().find(|object| object.id == id) {
            change(object);
            let text = match object.place {
                Some(place) => format!("{} stands {}, heading {}°", object.name, whereabouts(place), place.heading),
                None => format!("{} is taken off the map", object.name),
            };
            ask.note(|| Note::new(what, text).pieces([&object.id]));
        }
    }

    fn next_phase(&self, state: &mut State, ask: &mut impl Ask) {
        state.phase += 1;
        if state.phase >= self.phases.len() {
            state.phase = 0;
            state.turn += 1;
        }
        let Some(phase) = self.phases.get(state.phase) else { return };
        let turn = state.turn;
        ask.note(|| Note::new("phase", format!("Turn {turn}: {}", phase.title)));
        self.phase_begins(state);
    }

    /// Takes down what the rules owe in the phase that begins.
    fn phase_begins(&self, state: &mut State) {
        let Some(phase) = self.phases.get(state.phase) else { return };
        for owed in self.system.begin(phase.id, state) {
            state.owe(owed);
        }
    }

    /// The dice of a ruling, typed or rolled.
    fn dice(&self, ask: &mut impl Ask, by: Seat, (count, die, what): (u32, Die, String)) -> Asked<Vec<u8>> {
        let zero = self.system.ten_shows_zero() && die.sides == 10;
        let due = DiceDue { by, count, die, what, zero };
        let value = ask.decide(&due)?;
        match due.faces(&value) {
            Ok(Some(faces)) => Ok(faces),
            Ok(None) => {
                let pool = ask.pool::<1>(due.count, due.die, &due.what, |_| 0)?;
                if pool.faces.0.len() == due.count as usize {
                    return Ok(pool.faces.0);
                }
                // An answerer that keeps no faces of a pool still knows those of single dice.
                (0..due.count).map(|_| ask.roll(due.die, &due.what)).collect()
            }
            Err(refusal) => Err(ask.refuse(refusal)),
        }
    }

    /// Rules by a procedure, asking for its dice one after the other. `choose` may change the input when all dice are
    /// there and the result is known; the ruling is then made again with the same dice.
    fn ruled<A: Ask>(
        &self,
        name: &str,
        input: &mut Value,
        by: Seat,
        ask: &mut A,
        choose: impl FnOnce(&mut Value, &Value, &mut A) -> Asked<bool>,
    ) -> Asked<Value> {
        let (procedure, about) = match self.procedure(name) {
            Ok(found) => found,
            Err(refusal) => return Err(ask.refuse(refusal)),
        };
        let (mut faces, mut noted, mut choose) = (Vec::new(), 0, Some(choose));
        loop {
            let attempt = procedure.attempt(&about.input, input.clone(), &faces, &self.system.codes());
            let (trace, next) = match attempt {
                Ok(Attempt::Done(ruling)) => (ruling.trace, Ok(ruling.result)),
                Ok(Attempt::Needs { count, die, what, trace }) => (trace, Err((count, die, what))),
                Err(refusal) => return Err(ask.refuse(refusal)),
            };
            if let (Ok(result), Some(choose)) = (&next, choose.take_if(|_| next.is_ok()))
                && choose(input, result, ask)?
            {
                continue;
            }
            for note in trace.into_iter().skip(noted) {
                noted += 1;
                ask.note(|| note.detail());
            }
            match next {
                Ok(result) => return Ok(result),
                Err(due) => faces.extend(self.dice(ask, by, due)?),
            }
        }
    }

    /// The losses that a ruling demands: those who own them, or the referee, confirm what is proposed or change it.
    fn lost(&self, state: &State, ready: &Ready, demand: Demand, ask: &mut impl Ask) -> Asked<Vec<String>> {
        if !demand.open() {
            return Ok(demand.proposed);
        }
        let cast = ready.cast.get(demand.role).map(Vec::as_slice).unwrap_or_default();
        let mut seats: Vec<u8> = cast.iter().filter_map(|id| state.object(id)?.player).collect();
        if self.acts[ready.act].find(demand.role).is_some_and(|role| role.acts) {
            seats.push(ready.by.0);
        }
        let names = demand.stakes.iter().map(|stake| state.name(&stake.id).to_owned()).collect();
        let due = LossesDue { seats, demand, names };
        let value = ask.decide(&due)?;
        due.chosen(&value).map_err(|refusal| ask.refuse(refusal))
    }

    /// Rules on an act, changes the sheets and notes what follows.
    fn rule(&self, state: &mut State, ready: &Ready, ask: &mut impl Ask) -> Asked<()> {
        let act = &self.acts[ready.act];
        let pieces: Vec<String> = ready.cast.values().flatten().cloned().collect();
        ask.note(|| {
            let text =
                self.system.announce(act.id, &ready.cast_on(state)).unwrap_or_else(|| self.announced(state, ready));
            Note::new("act", text).pieces(&pieces)
        });
        let mut ruled: Vec<(&'static str, Value)> = Vec::new();
        let more = loop {
            match self.system.before(act.id, &ready.cast_on(state), &ruled) {
                Before::Go(facts) => break facts,
                Before::Rule { procedure, input } => {
                    let mut input = input;
                    let result = self.ruled(procedure, &mut input, ready.by, ask, |_, _, _| Ok(false))?;
                    ruled.push((procedure, result));
                }
                Before::Stop(verdict) => {
                    self.settle(state, ready, verdict, &pieces, ask);
                    return Ok(());
                }
                Before::Refuse(refusal) => return Err(ask.refuse(refusal)),
            }
        };
        let (_, mut input, _) = self.assembled(state, ready);
        for (path, value) in more {
            put(&mut input, &path, value);
        }
        let result = self.ruled(act.procedure, &mut input, ready.by, ask, |input, result, ask| {
            let demands = self.system.demands(act.id, &ready.cast_on(state), input, result);
            let chosen = demands.iter().any(Demand::open);
            for demand in demands {
                let role = demand.role;
                let lost = self.lost(state, ready, demand, ask)?;
                self.system.give_up(act.id, input, role, &lost);
            }
            Ok(chosen)
        })?;
        let mut picks = self.picks(state, ready);
        for (path, id) in self.system.carries(act.id, &ready.cast_on(state)) {
            picks.extend(self.library.iter().find(|item| item.id == id).map(|item| Pick { path, item: item.clone() }));
        }
        let mut verdict = self.system.verdict(act.id, &ready.cast_on(state), &input, &result);
        if verdict.is_empty() {
            let done = format!("{} is done", act.title);
            verdict = if state.remembers() { format!("Ruled: {}", self.announced(state, ready)) } else { done };
        }
        // What was left to its default counts for what follows, too.
        let filled = self
            .procedure(act.procedure)
            .ok()
            .and_then(|(_, about)| about.input.check(input.clone(), "input", &self.system.codes()).ok());
        let follow = self.system.follow_ups(act.procedure, filled.as_ref().unwrap_or(&input), &picks, &result);
        for item in self.system.aftermath(act.procedure, &picks, &result) {
            if let Some(object) = state.objects.iter_mut().find(|object| object.id == item.id) {
                (object.value, object.kind) =
                    (item.value, if item.kind == "lost" { object.kind.clone() } else { item.kind.clone() });
                object.gone = if item.kind == "lost" { "sunk".to_owned() } else { self.system.gone(object) };
            }
        }
        self.system.after(act.id, &ready.cast, &input, &result, state);
        // Nothing more is owed by what is gone.
        let in_play: Vec<String> =
            state.objects.iter().filter(|object| object.in_play()).map(|object| object.id.clone()).collect();
        let stands = |owed: &Owed| {
            let mut cast = owed.cast.values().flatten().peekable();
            cast.peek().is_none() || cast.any(|id| in_play.contains(id))
        };
        state.chain.retain(stands);
        state.owed.retain(stands);
        self.settle(state, ready, verdict, &pieces, ask);
        // A further round of the same act is the players' to choose.
        let follow = follow.into_iter().filter(|follow| follow.procedure != act.procedure);
        let mut chain: Vec<Owed> = follow.flat_map(|follow| self.owed_by(state, follow)).collect();
        if state.owes() {
            chain.extend(self.system.calls(act.id, &ready.cast, &input, &result, state));
        }
        chain.retain_mut(|owed| self.system.complete(owed, state));
        for (at, mut owed) in chain.into_iter().enumerate() {
            state.numbered += 1;
            (owed.number, owed.by) = (state.numbered, ready.by.0);
            if state.chain.len() < LONGEST_CHAIN {
                state.chain.insert(at, owed);
            }
        }
        Ok(())
    }

    fn settle(&self, state: &mut State, ready: &Ready, verdict: String, pieces: &[String], ask: &mut impl Ask) {
        if let Some(number) = ready.owed {
            state.chain.retain(|owed| owed.number != number);
            state.owed.retain(|owed| owed.number != number);
        } else {
            // An act that is owed and was chosen from the list counts as done all the same.
            let act = self.acts[ready.act].id;
            let same = |owed: &Owed| owed.act == act && owed.cast == ready.cast;
            if let Some(at) = state.owed.iter().position(same) {
                state.owed.remove(at);
            }
        }
        if state.remembers() {
            kept::keep(&self.acts[ready.act], state, &ready.cast, &ready.told);
        }
        state.rulings += 1;
        ask.note(|| Note::new("verdict", verdict.clone()).pieces(pieces));
        state.verdict = verdict;
    }

    fn announced(&self, state: &State, ready: &Ready) -> String {
        let act = &self.acts[ready.act];
        let names: Vec<String> = act
            .roles
            .iter()
            .map(|role| ready.cast_on(state).few_names(role.id))
            .filter(|names| !names.is_empty())
            .collect();
        if names.is_empty() { act.title.to_owned() } else { format!("{}: {}", act.title, names.join(", ")) }
    }

    /// The objects of an act at their places in the input.
    fn picks(&self, state: &State, ready: &Ready) -> Vec<Pick> {
        let act = &self.acts[ready.act];
        let mut picks = Vec::new();
        for role in &act.roles {
            let several = matches!(role.count, Count::Many | Count::Any);
            for (at, object) in ready.cast_on(state).many(role.id).into_iter().enumerate() {
                let path = match role.path.split_once('*') {
                    Some((before, after)) => format!("{before}{at}{after}"),
                    None if several => format!("{}.{at}", role.path),
                    None => role.path.to_owned(),
                };
                picks.push(Pick { path, item: object.item() });
            }
        }
        for (path, id) in &ready.carried {
            picks.extend(
                self.library
                    .iter()
                    .find(|item| item.id == *id)
                    .map(|item| Pick { path: path.clone(), item: item.clone() }),
            );
        }
        picks
    }

    /// What a ruling calls for, as acts of this table.
    fn owed_by(&self, state: &State, follow: FollowUp) -> Vec<Owed> {
        let Some(act) = self.acts.iter().find(|act| act.procedure == follow.procedure) else { return Vec::new() };
        let mut owed = Owed::new(act.id, follow.why);
        if let Value::Object(known) = follow.known {
            owed.facts = known.into_iter().filter(|(_, value)| !value.is_null()).collect();
        }
        for (path, id) in follow.objects {
            match (state.object(&id), act.roles.iter().find(|role| role.path == path)) {
                (Some(_), Some(role)) => owed.cast.entry(role.id.to_owned()).or_default().push(id),
                _ => owed.carried.push((path, id)),
            }
        }
        vec![owed; follow.times.max(1) as usize]
    }
}

/// A place as people say it: `900 mm north and 120 mm east of the middle`.
#[must_use]
pub fn whereabouts(Place { x, y, .. }: Place) -> String {
    let part = |way: i64, more: &str, less: &str| {
        (way != 0).then(|| format!("{} mm {}", way.unsigned_abs(), if way > 0 { more } else { less }))
    };
    let parts: Vec<String> = part(y, "north", "south").into_iter().chain(part(x, "east", "west")).collect();
    if parts.is_empty() { "in the middle".to_owned() } else { format!("{} of the middle", parts.join(" and ")) }
}

impl Ready {
    pub(super) fn cast_on<'a>(&'a self, state: &'a State) -> Cast<'a> {
        Cast { state, roles: &self.cast, part: self.part.as_deref(), told: &self.told }
    }
}
