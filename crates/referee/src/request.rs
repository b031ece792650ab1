use crate::table::{Act, Before, Cast, Demand, Known, Object, Owed, Part, Phase, SheetFigure, State, sheet_figures};
use crate::{About, AnyProcedure, Card, Chart, Example, FieldOdds, FollowUp, Pick, Ruling, plain_card, same_places};
use flagplot_kernel::Refusal;
use flagplot_odds::Budget;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The words a system uses for the common faults.
#[derive(Clone, Copy, Debug)]
pub struct Codes {
    /// Another JSON type.
    pub wrong_type: &'static str,
    /// Outside the range.
    pub out_of_range: &'static str,
    /// A list that stands for one thing, such as a point, and has another length than that thing.
    pub wrong_length: &'static str,
    /// Not one of the words.
    pub bad_word: &'static str,
    /// Too few dice.
    pub dice_missing: &'static str,
    /// Too many dice.
    pub dice_unused: &'static str,
    /// The sides of the one die the system uses, if it uses one: its faces are checked before anything else.
    pub one_die: Option<u8>,
}

impl Default for Codes {
    fn default() -> Self {
        Self {
            wrong_type: "bad-type",
            out_of_range: "bad-value",
            wrong_length: "bad-type",
            bad_word: "bad-value",
            dice_missing: "not-enough-dice",
            dice_unused: "too-many-dice",
            one_die: Some(6),
        }
    }
}

/// What the referee needs to know of a system.
pub trait System {
    /// Its id.
    fn id(&self) -> &'static str;
    /// Its procedures.
    fn procedures(&self) -> &[Box<dyn AnyProcedure>];
    /// Its words for the common faults.
    fn codes(&self) -> Codes;
    /// What its data has to offer for inputs.
    fn library(&self) -> Vec<LibraryItem> {
        Vec::new()
    }
    /// The forms in which an object of the data or the sheet can be other parts of an input: a ship as a shooter, as a
    /// target. One whose kind is the name of a procedure is an input of that procedure, as far as the object knows it.
    fn aspects(&self, _item: &LibraryItem) -> Vec<LibraryItem> {
        Vec::new()
    }
    /// The objects that a ruling has changed, as they are afterwards.
    fn aftermath(&self, _procedure: &str, picks: &[Pick], result: &Value) -> Vec<LibraryItem> {
        same_places(picks, result)
    }
    /// What a ruling calls for next.
    fn follow_ups(&self, _procedure: &str, _input: &Value, _picks: &[Pick], _result: &Value) -> Vec<FollowUp> {
        Vec::new()
    }
    /// An object as a data card; `fresh` is the same object before anything happened to it.
    fn card(&self, item: &LibraryItem, fresh: Option<&LibraryItem>) -> Card {
        plain_card(item, fresh)
    }
    /// An example for every procedure; the first is the one to show a stranger.
    fn examples(&self) -> Vec<Example> {
        Vec::new()
    }
    /// Its tables, for chart cards.
    fn charts(&self) -> Vec<Chart> {
        Vec::new()
    }
    /// Whether the ten of its ten-sided die is printed, typed in and shown as 0.
    fn ten_shows_zero(&self) -> bool {
        false
    }

    // What follows is for a referee's table.

    /// What its procedures say of themselves.
    fn index(&self) -> Index {
        Index(self.procedures().iter().map(|procedure| procedure.about()).collect())
    }
    /// The phases of a turn, in order.
    fn phases(&self) -> Vec<Phase> {
        vec![Phase::new("rulings", "Rulings", "The referee rules on what the players do.")]
    }
    /// What can be done, each ruled by a procedure.
    fn acts(&self) -> Vec<Act> {
        Vec::new()
    }
    /// What the two sides are called until the referee names them.
    fn sides(&self) -> [&'static str; 2] {
        ["First side", "Second side"]
    }
    /// What of the data can be put on the table.
    fn recruits(&self) -> Vec<LibraryItem> {
        self.library()
    }
    /// The scenarios whose forces can be put on the table: id and title.
    fn musters(&self) -> Vec<(String, String)> {
        Vec::new()
    }
    /// The forces of a scenario, and the names of its sides.
    fn muster(&self, _scenario: &str) -> Result<(Vec<Object>, [String; 2]), Refusal> {
        Err(crate::table::no_such_scenario())
    }
    /// An object of one's own, checked and with its defaults.
    fn accept(&self, item: LibraryItem) -> Result<LibraryItem, Refusal> {
        if item.value.is_object() {
            return Ok(item);
        }
        Err(Refusal::new("bad-sheet", format!("The sheet of {} is not an object with figures.", item.name)))
    }
    /// A sheet of which one figure was corrected, checked; what follows from that figure follows it.
    fn corrected(&self, item: LibraryItem, _field: &str) -> Result<LibraryItem, Refusal> {
        self.accept(item)
    }
    /// What became of an object whose sheet was corrected, empty while it is in play.
    fn still_gone(&self, object: &Object) -> String {
        self.gone(object)
    }
    /// The figures of an object's sheet that the referee may correct.
    fn figures(&self, object: &Object) -> Vec<SheetFigure> {
        sheet_figures(&object.value)
    }
    /// The procedure that derives an object from the facts of an encyclopaedia, if there is one.
    fn derives(&self) -> Option<&'static str> {
        None
    }
    /// An object derived from the facts of an encyclopaedia.
    fn derived(&self, _name: &str, _facts: Value) -> Result<LibraryItem, Refusal> {
        Err(Refusal::new("not-derived", "This system cannot derive a sheet from facts."))
    }
    /// What a line may say, for example; empty if no line is read.
    fn line_example(&self) -> &'static str {
        ""
    }
    /// The objects that a line names: `9 × 3 factors`.
    fn read_line(&self, _line: &str) -> Result<Vec<LibraryItem>, Refusal> {
        Err(Refusal::new("no-lines", "This system has no shorthand for forces.")
            .remedy("Choose from the list of forces."))
    }
    /// The act that measures between two objects on a map, if positions tell facts. Its first role is measured from.
    fn measures(&self) -> Option<&'static str> {
        None
    }
    /// Marks new objects with what has to be remembered of them, at a table of this version.
    fn joined(&self, _objects: &mut [Object], _version: u32) {}
    /// The parts of an object among which an act chooses: its batteries.
    fn parts(&self, _act: &str, _role: &str, _object: &Object) -> Vec<Part> {
        Vec::new()
    }
    /// What the sheets and the map tell of an act's input.
    fn fit(&self, _act: &str, _cast: &Cast<'_>) -> Vec<Known> {
        Vec::new()
    }
    /// The values of a fact among which a person chooses, each with its word, where they depend on who takes part.
    fn choices(&self, _act: &str, _path: &str, _cast: &Cast<'_>) -> Vec<(Value, String)> {
        Vec::new()
    }
    /// What comes before an act is ruled on, given what has been ruled so far.
    fn before(&self, _act: &str, _cast: &Cast<'_>, _ruled: &[(&'static str, Value)]) -> Before {
        Before::Go(Vec::new())
    }
    /// An act in a sentence before it is ruled on.
    fn announce(&self, _act: &str, _cast: &Cast<'_>) -> Option<String> {
        None
    }
    /// A ruling in one sentence without a full stop.
    fn verdict(&self, _act: &str, _cast: &Cast<'_>, _input: &Value, _result: &Value) -> String {
        String::new()
    }
    /// The losses that a ruling demands and that their owners choose after the dice.
    fn demands(&self, _act: &str, _cast: &Cast<'_>, _input: &Value, _result: &Value) -> Vec<Demand> {
        Vec::new()
    }
    /// Tells the input of an act which objects in a role are given up, in the order in which they pay.
    fn give_up(&self, _act: &str, _input: &mut Value, _role: &str, _lost: &[String]) {}
    /// What else a ruling changes on the table, beside the sheets of its objects.
    fn after(
        &self,
        _act: &str,
        _cast: &BTreeMap<String, Vec<String>>,
        _input: &Value,
        _result: &Value,
        _state: &mut State,
    ) {
    }
    /// What a ruling calls for at once, where that depends on what lies on the table.
    fn calls(
        &self,
        _act: &str,
        _cast: &BTreeMap<String, Vec<String>>,
        _input: &Value,
        _result: &Value,
        _state: &State,
    ) -> Vec<Owed> {
        Vec::new()
    }
    /// Objects of the data that take part in an act, each with its place: the bombs that aircraft carry.
    fn carries(&self, _act: &str, _cast: &Cast<'_>) -> Vec<(String, String)> {
        Vec::new()
    }
    /// Fills in what the table knows of an act that has become owed. False: nothing is owed after all.
    fn complete(&self, _owed: &mut Owed, _state: &State) -> bool {
        true
    }
    /// Why an object is no longer in play; empty as long as it is.
    fn gone(&self, object: &Object) -> String {
        object.gone.clone()
    }
    /// Whether cards know lost objects by the kind `lost`.
    fn lost_by_kind(&self) -> bool {
        false
    }
    /// A phase begins: what the rules owe in it. Objects may be marked.
    fn begin(&self, _phase: &str, _state: &mut State) -> Vec<Owed> {
        Vec::new()
    }
    /// Shows on an object's card what the table remembers of it.
    fn marked(&self, _card: &mut Card, _object: &Object) {}
    /// What the table remembers, in words.
    fn remarks(&self, _state: &State) -> Vec<String> {
        Vec::new()
    }
}

/// Something out of a system's data that can be part of an input: a ship, an aircraft, a gun.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LibraryItem {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// What it is: `ship`, `aircraft`.
    pub kind: String,
    /// Its JSON form, as the procedures take it.
    pub value: Value,
}

impl LibraryItem {
    /// The id in the data; a second object of one kind at a table has a number after it.
    #[must_use]
    pub fn origin(&self) -> &str {
        self.id.split('#').next().unwrap_or(&self.id)
    }
}

/// What the procedures of a system say of themselves, asked once.
#[derive(Clone, Debug)]
pub struct Index(Vec<About>);

impl Index {
    /// Asks every procedure of a system.
    #[must_use]
    pub fn of(system: &dyn System) -> Self {
        system.index()
    }

    /// What each says, in order.
    #[must_use]
    pub fn abouts(&self) -> &[About] {
        &self.0
    }
}

/// Where the dice of a ruling come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dice {
    /// From a list.
    Faces(Vec<u8>),
    /// From a seed.
    Seed(u64),
}

/// A request that has been read.
#[derive(Clone, Debug)]
pub struct Request {
    /// The system's id.
    pub system: String,
    /// The rest of it: its fields, not looked at yet.
    fields: Map<String, Value>,
}

/// A response.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Response {
    /// A ruling.
    Ruling(Box<Ruling>),
    /// Odds.
    Odds {
        /// The distribution of each field.
        odds: FieldOdds,
    },
}

/// The largest request that is read.
pub const LARGEST: usize = 4 << 20;

const FIELDS: [&str; 7] = ["system", "procedure", "input", "dice", "seed", "odds", "field"];

/// Reads the form of a request: its fields, as far as every system has the same. Whether there is such a system comes
/// after that.
pub fn parse(bytes: &[u8]) -> Result<Request, Refusal> {
    if bytes.len() > LARGEST {
        return Err(Refusal::new("too-long", format!("A request may have {LARGEST} bytes; this one has more.")));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Refusal::new("bad-json", format!("Not JSON: byte {} is not UTF-8.", error.valid_up_to() + 1))
    })?;
    let value: Value =
        serde_json::from_str(text).map_err(|error| Refusal::new("bad-json", format!("Not JSON: {error}.")))?;
    let Value::Object(fields) = value else {
        return Err(Refusal::new("bad-type", "A request must be a JSON object."));
    };
    if let Some(name) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        let name: String = name.chars().take(60).collect();
        return Err(Refusal::new("unknown-field", format!("A request has no field '{name}'."))
            .remedy(format!("Its fields are: {}.", FIELDS.join(", "))));
    }
    let system = word(&fields, "system")?.to_owned();
    word(&fields, "procedure")?;
    if !fields.contains_key("input") {
        return Err(missing("input"));
    }
    Ok(Request { system, fields })
}

fn missing(name: &str) -> Refusal {
    Refusal::new("missing-field", format!("The request needs the field '{name}'."))
}

fn word<'a>(fields: &'a Map<String, Value>, name: &'static str) -> Result<&'a str, Refusal> {
    match fields.get(name) {
        None => Err(missing(name)),
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(Refusal::new("bad-type", format!("{name} must be text."))),
    }
}

/// Answers a request to a system. `fresh` gives a seed when the request brings neither dice nor seed.
pub fn adjudicate(
    system: &dyn System,
    index: &Index,
    request: Request,
    fresh: impl FnOnce() -> u64,
    budget: Budget<'_>,
) -> Result<Response, Refusal> {
    let codes = system.codes();
    let mut fields = request.fields;
    let name = word(&fields, "procedure")?.to_owned();
    let known = system.procedures().iter().zip(&index.0).find(|(_, about)| about.name == name);
    let (procedure, about) = known.ok_or_else(|| {
        let known = index.0.iter().map(|about| about.name);
        Refusal::unknown("unknown-procedure", format_args!("{} has", system.id()), "procedure", &name, known)
    })?;
    let odds = match fields.remove("odds") {
        None => false,
        Some(Value::Bool(odds)) => odds,
        Some(_) => return Err(Refusal::new(codes.wrong_type, "odds must be true or false.")),
    };
    let dice = fields.remove("dice");
    let seed = fields.remove("seed");
    if usize::from(odds) + usize::from(dice.is_some()) + usize::from(seed.is_some()) > 1 {
        return Err(Refusal::new("dice-and-odds", "Give one of dice, seed and \"odds\": true."));
    }
    let field = match fields.remove("field") {
        None => None,
        Some(_) if !odds => return Err(Refusal::new("unknown-field", "field belongs to a request for odds.")),
        Some(Value::String(field)) => Some(field),
        Some(_) => return Err(Refusal::new(codes.wrong_type, "field must be text.")),
    };
    let dice = match (dice, seed) {
        (Some(dice), _) => Dice::Faces(faces(dice, &codes, system.ten_shows_zero())?),
        (None, Some(seed)) => Dice::Seed(whole_seed(&seed, &codes)?),
        (None, None) if odds => Dice::Seed(0),
        (None, None) => Dice::Seed(fresh()),
    };
    let input = fields.remove("input").ok_or_else(|| missing("input"))?;
    if odds {
        return procedure
            .odds(&about.input, input, field.as_deref(), &codes, budget)
            .map(|odds| Response::Odds { odds });
    }
    let mut ruling = procedure.rule(&about.input, input, dice, &codes)?;
    if system.ten_shows_zero() {
        for roll in ruling.rolls.iter_mut().filter(|roll| roll.die == "d10" && roll.face == 10) {
            roll.face = 0;
        }
    }
    Ok(Response::Ruling(Box::new(ruling)))
}

/// A seed: any whole number of 64 bits, with or without a sign.
fn whole_seed(seed: &Value, codes: &Codes) -> Result<u64, Refusal> {
    seed.as_u64().or_else(|| seed.as_i64().map(i64::cast_unsigned)).ok_or_else(|| {
        let huge = seed.as_f64().is_some_and(|number| number.abs() >= 9.0e18);
        let code = if huge { codes.out_of_range } else { codes.wrong_type };
        Refusal::new(code, format!("seed must be a whole number from {} to {}.", i64::MIN, u64::MAX))
    })
}

fn faces(dice: Value, codes: &Codes, ten_shows_zero: bool) -> Result<Vec<u8>, Refusal> {
    let Value::Array(dice) = dice else {
        return Err(Refusal::new(codes.wrong_type, "dice must be a list of faces."));
    };
    // With several dice only the rules know which one a face belongs to: they check it once they call for it.
    let (least, most) = match codes.one_die {
        _ if ten_shows_zero => (0, 9),
        Some(sides) => (1, sides),
        None => (0, u8::MAX),
    };
    dice.iter()
        .enumerate()
        .map(|(at, face)| {
            face.as_u64()
                .and_then(|face| u8::try_from(face).ok())
                .filter(|face| (least..=most).contains(face))
                .map(|face| if face == 0 && ten_shows_zero { 10 } else { face })
                .ok_or_else(|| {
                    let shown: String = face.to_string().chars().take(60).collect();
                    let faces = if codes.one_die.is_some() || ten_shows_zero {
                        format!("a die shows {least} to {most}; ")
                    } else {
                        String::new()
                    };
                    Refusal::new("bad-die", format!("Die {}: {faces}'{shown}' is not one of its faces.", at + 1))
                })
        })
        .collect()
}
