//! Bots from outside: one JSON question per line out, one JSON answer per line in.

use crate::Desk;
use flagplot_kernel::{Outcome, Refusal, Seat, Viewer};
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt;
use std::io::{self, BufRead, Read, Write};

/// The longest line a bot may write, in bytes.
const LONGEST_LINE: u64 = 1 << 20;
/// How many refused answers to one question end the game with the bot.
const MOST_REFUSALS: u32 = 25;

/// Why a game with a bot stopped before its end.
#[derive(Debug)]
pub enum BotError {
    /// The bot closed its output.
    Gone,
    /// The bot's line is too long.
    TooLong,
    /// The bot was refused too often at one question; the last refusal.
    Stubborn(Refusal),
    /// Another seat had no answer, or the rules refused it.
    Desk(Refusal),
    /// The connection to the bot broke.
    Io(io::Error),
}

impl fmt::Display for BotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BotError::Gone => write!(f, "The bot left before the game was over."),
            BotError::TooLong => write!(f, "The bot wrote a line of more than {LONGEST_LINE} bytes."),
            BotError::Stubborn(refusal) => {
                write!(
                    f,
                    "The rules refused {MOST_REFUSALS} answers of the bot to one question. The last refusal: {refusal}"
                )
            }
            BotError::Desk(refusal) => write!(f, "{refusal}"),
            BotError::Io(error) => write!(f, "The connection to the bot broke: {error}."),
        }
    }
}

impl std::error::Error for BotError {}

impl From<io::Error> for BotError {
    fn from(error: io::Error) -> Self {
        BotError::Io(error)
    }
}

/// What a bot may write.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
enum Said {
    Value(Value),
    Resign(bool),
}

/// Lets a bot play one seat of a desk to the end of the game. `others` answers for every other seat.
///
/// Out, one line each: `{"ask": {"seat", "at", "view", "question"}}` when the bot has to answer, `{"refused": {"code",
/// "message", …}}` when its answer was not accepted (it is asked again), `{"over": {…}}` at the end. In: `{"value":
/// …}`, where the value is one of the question's options or any other legal answer, or `{"resign": true}`. The bot sees
/// its seat's view and nothing else.
pub fn play_bot(
    desk: &mut Desk,
    seat: Seat,
    mut others: impl FnMut(&Desk, Seat) -> Option<Value>,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<Outcome, BotError> {
    let mut refused = 0;
    loop {
        if let Some(outcome) = desk.outcome() {
            say(&mut output, &json!({"over": outcome}))?;
            return Ok(outcome);
        }
        let Some(question) = desk.question_to(seat) else {
            let next = desk.question().and_then(|question| question.open().first().map(|question| question.seat));
            let value = next.and_then(|seat| others(desk, seat));
            let (Some(next), Some(value)) = (next, value) else {
                return Err(BotError::Desk(Refusal::new("no-answer", "The game waits for a seat without a player.")));
            };
            desk.answer(next, value).map_err(BotError::Desk)?;
            continue;
        };
        if refused == 0 {
            let view = desk.situation(Viewer::Seat(seat)).view;
            say(
                &mut output,
                &json!({"ask": {"seat": seat, "at": desk.entries().len(), "view": view, "question": question}}),
            )?;
        }
        let done = match hear(&mut input)? {
            Ok(Said::Value(value)) => desk.answer(seat, value),
            Ok(Said::Resign(true)) => desk.resign(seat),
            Ok(Said::Resign(false)) => Err(Refusal::new("bad-answer", "To resign, say {\"resign\": true}.")),
            Err(refusal) => Err(refusal),
        };
        match done {
            Ok(()) => refused = 0,
            Err(refusal) => {
                refused += 1;
                say(&mut output, &json!({"refused": refusal}))?;
                if refused >= MOST_REFUSALS {
                    return Err(BotError::Stubborn(refusal));
                }
            }
        }
    }
}

fn say(output: &mut impl Write, line: &Value) -> io::Result<()> {
    writeln!(output, "{line}")?;
    output.flush()
}

fn hear(input: &mut impl BufRead) -> Result<Result<Said, Refusal>, BotError> {
    let mut line = Vec::new();
    let read = input.take(LONGEST_LINE + 1).read_until(b'\n', &mut line)? as u64;
    match read {
        0 => Err(BotError::Gone),
        read if read > LONGEST_LINE => Err(BotError::TooLong),
        _ => Ok(serde_json::from_slice(&line).map_err(|error| {
            Refusal::new("bad-answer", format!("This is not a valid answer: {error}."))
                .remedy("Write {\"value\": …} on one line.")
        })),
    }
}
