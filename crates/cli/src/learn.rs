use crate::fields::Person;
use crate::make::make;
use crate::unit::Unit;
use crate::wrap::say;
use crate::{Done, board, file_refusal, listing, proof};
use clap::Args;
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::script::{Move, Stage};
use flagplot_desk::{Lesson, Step, in_words};
use flagplot_kernel::{Chance, Form, Refusal, SeatQuestion, Viewer};
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;

/// `flagplot learn [SYSTEM]`
#[derive(Args)]
pub struct Learn {
    /// The system; without it the lessons are listed
    system: Option<String>,
    /// A lesson of your own, as TOML
    #[arg(long, value_name = "FILE", conflicts_with = "system")]
    file: Option<PathBuf>,
    /// Resume at this step; quit says which one that is
    #[arg(long, value_name = "NUMBER")]
    step: Option<usize>,
    /// Let the computer give this many more answers after the end of that lesson, and print what to add to it
    #[arg(long, value_name = "ANSWERS", requires = "file", conflicts_with = "step")]
    draft: Option<usize>,
}

const HELP: &str = "  NUMBER      take that option
  hint        the answer that the lesson has in mind
  do          give it
  make        build an answer of your own, piece by piece
  json VALUE  give an answer as JSON
  list WORDS  the options that have all of these words in them;  list  all of them
  not         why the other options are missing
  say         repeat this step's instruction
  board, log  show them again
  why NUMBER  the proof of that line of the log
  back        take the last step back
  quit";

impl Learn {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let own;
        let lesson = match (&self.system, &self.file) {
            (None, None) => {
                list(catalog)?;
                return Ok(ExitCode::SUCCESS);
            }
            (Some(system), _) => Lesson::of(system)?,
            (None, Some(path)) => {
                let text = std::fs::read_to_string(path).map_err(|error| file_refusal("cannot-read", path, &error))?;
                own = Lesson::parse(&text)?;
                &own
            }
        };
        if let Some(answers) = self.draft {
            draft(catalog, lesson, answers)?;
        } else {
            let answers = taken(lesson, self.step.unwrap_or(1))?;
            let named = match &self.file {
                Some(path) => format!("--file {}", path.display()),
                None => lesson.opening.system.clone(),
            };
            Class { catalog, lesson, named, answers, person: Person::new(std::io::stdin().lock()), told: 0 }.teach()?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The lesson's own answers to the steps before one.
fn taken(lesson: &Lesson, step: usize) -> Result<Vec<Value>, Refusal> {
    let before =
        step.checked_sub(1).and_then(|before| lesson.steps.get(..before)).filter(|_| step <= lesson.steps.len());
    let before = before.ok_or_else(|| {
        Refusal::new("no-such-step", format!("The steps of this lesson are 1 to {}.", lesson.steps.len()))
    })?;
    Ok(before.iter().map(|one| one.answer.clone()).collect())
}

fn list(catalog: &Catalog) -> Result<(), Refusal> {
    println!("A guided first battle for each game; flagplot learn SYSTEM begins one.\n");
    for lesson in Lesson::all() {
        let lesson = lesson?;
        let title = catalog.system(&lesson.opening.system)?.title();
        println!("{} ({title}, {} steps): {}", lesson.opening.system, lesson.steps.len(), lesson.title);
        println!("    {}", lesson.brief);
    }
    Ok(())
}

/// A value as it is written in TOML.
fn inline(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let fields: Vec<String> =
                map.iter().map(|(key, value)| format!("{} = {}", Value::from(key.as_str()), inline(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        other => other.to_string(),
    }
}

/// Goes on where a lesson ends and prints the moves, with their dice and what the log says, as text to be added.
fn draft(catalog: &Catalog, lesson: &Lesson, answers: usize) -> Result<(), Refusal> {
    let wanted: Vec<Value> = lesson.steps.iter().map(|step| step.answer.clone()).collect();
    let mut stage = lesson.play(catalog, &wanted)?;
    let mut chance = Chance::seeded(lesson.opening.seed.unwrap_or_default());
    let mut line = stage.desk().log(Viewer::Everything, 0).len();
    for _ in 0..answers {
        let open = stage.desk().question().and_then(|question| question.open().first()).cloned();
        let Some(open) = open else { break };
        let answer = stage.desk().think(open.seat, PlayerKind::Greedy, &mut chance);
        let answer = answer.ok_or_else(|| Refusal::new("no-answer", "The computer has no answer."))?;
        let own = open.seat == lesson.seat;
        println!("\n# {}", open.prompt.text);
        for option in open.options.iter().take(12).filter(|_| own) {
            println!("#   {} = {}", option.label, inline(&option.value));
        }
        println!("{}", if own { "[[steps]]" } else { "[[steps.then]]" });
        if own {
            println!("say = \"\"\nwrong = \"\"");
        } else {
            println!("seat = {}", open.seat.0);
        }
        println!("ask = \"{}\"\nanswer = {}", open.prompt.code, inline(&answer));
        let rolled = stage.rolled().len();
        let (seat, ask) = (open.seat, open.prompt.code.to_owned());
        stage.take(&Move { seat, ask, answer, rolls: Vec::new(), expect: Vec::new() })?;
        let rolls = &stage.rolled()[rolled..];
        if !rolls.is_empty() {
            let faces: Vec<String> = rolls.iter().map(|(_, faces)| format!("{faces:?}")).collect();
            let what: Vec<&str> = rolls.iter().map(|(what, _)| what.as_str()).collect();
            println!("rolls = [{}] # {}", faces.join(", "), what.join("; "));
        }
        for entry in stage.desk().log(Viewer::Everything, line.saturating_sub(1)) {
            line = entry.number + 1;
            println!("#{} {}", if entry.note.detail { "    " } else { "  >" }, entry.note.text);
        }
    }
    if let Some(outcome) = stage.desk().outcome() {
        println!("# The game is over: {}", outcome.summary);
    }
    Ok(())
}

/// The lines of the log that are shown before the first step.
const RECENT: usize = 12;

/// The last line of the log before the newest ones.
fn told_before(stage: &Stage, lesson: &Lesson, newest: usize) -> usize {
    let log = stage.desk().log(Viewer::Seat(lesson.seat), 0);
    log.len().checked_sub(newest + 1).map_or(0, |at| log[at].number)
}

/// A lesson in the terminal.
struct Class<'a> {
    catalog: &'a Catalog,
    lesson: &'a Lesson,
    /// How the lesson is named on the command line.
    named: String,
    answers: Vec<Value>,
    person: Person<'a>,
    /// How many lines of the log have been shown.
    told: usize,
}

/// What the learner wants.
enum Wish {
    Answer(Value),
    Back,
    Quit,
}

impl Class<'_> {
    fn teach(mut self) -> Result<(), Refusal> {
        let lesson = self.lesson;
        say!("{}\n{}\n\n{}\n", lesson.title, lesson.brief, lesson.aim);
        say!("One step at a time. Type help for what you can type; quit leaves.");
        let mut stage = lesson.play(self.catalog, &self.answers)?;
        self.told = told_before(&stage, lesson, RECENT);
        let mut refused = false;
        while let Some(step) = lesson.steps.get(self.answers.len()) {
            let Some(question) = stage.desk().question_to(lesson.seat).cloned() else {
                return Err(Refusal::new("lesson-broken", "There is nothing to answer at this step."));
            };
            // After a refusal the position and the options are still on the screen.
            if !std::mem::take(&mut refused) {
                self.show(&stage, step, &question);
            }
            self.instruct(step);
            match self.ask(&stage, step, &question) {
                Wish::Quit => {
                    let step = match self.answers.len() {
                        0 => String::new(),
                        taken => format!(" --step {}", taken + 1),
                    };
                    say!("\nGood-bye. To go on here: flagplot learn {}{step}", self.named);
                    return Ok(());
                }
                Wish::Back if self.answers.is_empty() => say!("This is the first step."),
                Wish::Back => {
                    self.answers.pop();
                    stage = lesson.play(self.catalog, &self.answers)?;
                    self.told = told_before(&stage, lesson, 0);
                }
                Wish::Answer(value) => {
                    self.answers.push(value);
                    match lesson.play(self.catalog, &self.answers) {
                        Ok(next) => stage = next,
                        Err(refusal) if refusal.code == "not-this-step" => {
                            self.answers.pop();
                            refused = true;
                            say!("\n{}", refusal.message);
                        }
                        Err(refusal) => return Err(refusal),
                    }
                }
            }
        }
        self.log(&stage);
        println!("\n{}", board::draw(&stage.desk().situation(Viewer::Seat(lesson.seat)).scene));
        say!("You have finished the lesson.");
        lesson.end.iter().for_each(|line| say!("  {line}"));
        say!("\nPlay it for real: flagplot play {} {}", lesson.opening.system, lesson.opening.scenario);
        Ok(())
    }

    fn log(&mut self, stage: &Stage) {
        for entry in stage.desk().log(Viewer::Seat(self.lesson.seat), self.told) {
            if !entry.note.detail {
                say!("{:4}. {}", entry.number, entry.note.text);
            }
            self.told = entry.number;
        }
    }

    fn show(&mut self, stage: &Stage, step: &Step, question: &SeatQuestion) {
        self.log(stage);
        if !step.told.is_empty() {
            say!("\nWhat happened: {}", step.told);
        }
        let scene = stage.desk().situation(Viewer::Seat(self.lesson.seat)).scene;
        println!("\n{}", board::draw(&scene));
        say!("{}", question.prompt.text);
        listing::overview(question, &scene.pieces).iter().for_each(|line| say!("{line}"));
        if question.form != Form::Pick {
            say!("  make. Put an answer of your own together");
        }
    }

    fn instruct(&self, step: &Step) {
        say!("\nStep {} of {}: {}", self.answers.len() + 1, self.lesson.steps.len(), step.say);
    }

    fn ask(&mut self, stage: &Stage, step: &Step, question: &SeatQuestion) -> Wish {
        let viewer = Viewer::Seat(self.lesson.seat);
        let scene = || stage.desk().situation(viewer).scene;
        loop {
            let Some(typed) = self.person.line("> ") else { return Wish::Quit };
            let (word, rest) = typed.split_once(' ').map_or((typed.as_str(), ""), |(word, rest)| (word, rest.trim()));
            match word {
                "" => {}
                "help" | "h" => println!("{HELP}"),
                "quit" | "q" => return Wish::Quit,
                "back" => return Wish::Back,
                "do" => return Wish::Answer(step.answer.clone()),
                "hint" => {
                    let wanted = step.offered(question);
                    match question.options.iter().position(|option| option.value == wanted) {
                        Some(at) => say!("  {}. {}", at + 1, question.options[at].label),
                        None => say!("  do. {}", in_words(question, &step.answer)),
                    }
                }
                "not" if question.prompt.missing.is_empty() => say!("No option is missing."),
                "not" => question.prompt.missing.iter().for_each(|line| say!("  {line}")),
                "say" => say!("  {}", step.say),
                "board" => println!("{}", board::draw(&scene())),
                "log" => {
                    self.told = 0;
                    self.log(stage);
                }
                "why" => {
                    let charts = self.catalog.system(&self.lesson.opening.system).map(|system| system.charts());
                    let proof = rest.parse().ok().zip(charts.ok());
                    let lines =
                        proof.and_then(|(number, charts)| proof::why(&stage.desk().log(viewer, 0), number, &charts));
                    match lines {
                        Some(lines) => lines.iter().for_each(|line| say!("{line}")),
                        None => say!("Which line of the log? why NUMBER"),
                    }
                }
                "list" => listing::find(question, if rest.is_empty() { "all" } else { rest })
                    .iter()
                    .for_each(|line| say!("{line}")),
                "make" => {
                    if let Some(value) = make(&mut self.person, &question.form, Unit::of(&scene())) {
                        return Wish::Answer(value);
                    }
                }
                "json" => match serde_json::from_str(rest) {
                    Ok(value) => return Wish::Answer(value),
                    Err(error) => say!("Not JSON: {error}."),
                },
                number => {
                    let option =
                        number.parse::<usize>().ok().and_then(|number| question.options.get(number.checked_sub(1)?));
                    match option {
                        Some(option) => return Wish::Answer(option.value.clone()),
                        None => say!("'{typed}' is not an option. Type a number, hint, do, or help."),
                    }
                }
            }
        }
    }
}
