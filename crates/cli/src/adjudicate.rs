use crate::{Done, fresh};
use clap::Args;
use flagplot_catalog::Catalog;
use flagplot_kernel::Refusal;
use flagplot_odds::Budget;
use flagplot_referee::{LARGEST, parse};
use serde_json::json;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// `flagplot adjudicate`
#[derive(Args)]
pub struct Adjudicate {
    /// One request per line, one answer per line, errors included
    #[arg(long)]
    lines: bool,
    /// Give up on exact odds after this many seconds
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    patience: u64,
}

impl Adjudicate {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let mut input = BufReader::new(std::io::stdin().lock());
        let mut output = BufWriter::new(std::io::stdout().lock());
        let broken = |error: std::io::Error| Refusal::new("broken-pipe", format!("{error}."));
        if !self.lines {
            let mut request = Vec::new();
            input.by_ref().take(LARGEST as u64 + 1).read_to_end(&mut request).map_err(broken)?;
            let (answer, accepted) = self.answer(catalog, &request);
            writeln!(output, "{answer}").and_then(|()| output.flush()).map_err(broken)?;
            return Ok(if accepted { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        let mut line = Vec::new();
        while next_line(&mut input, &mut line).map_err(broken)? {
            let (answer, _) = self.answer(catalog, &line);
            writeln!(output, "{answer}").map_err(broken)?;
            // A program that asks line by line waits for each answer, so nothing more is read before it is sent; the
            // lines of a file are here already.
            if !input.buffer().contains(&b'\n') {
                output.flush().map_err(broken)?;
            }
        }
        output.flush().map_err(broken)?;
        Ok(ExitCode::SUCCESS)
    }

    fn answer(&self, catalog: &Catalog, request: &[u8]) -> (String, bool) {
        let end = Instant::now() + Duration::from_secs(self.patience);
        let give_up = || Instant::now() >= end;
        let budget = Budget { give_up: Some(&give_up), ..Budget::default() };
        let response = parse(request).and_then(|request| catalog.adjudicate(request, fresh::seed, budget));
        match response {
            Ok(response) => (serde_json::to_string(&response).expect("a response is JSON"), true),
            Err(refusal) => (json!({ "error": refusal }).to_string(), false),
        }
    }
}

/// Reads a line, of which no more is kept than the largest request and a byte. False at the end.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(any);
        }
        any = true;
        let (taken, ended) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at, true),
            None => (buffer.len(), false),
        };
        let room = (LARGEST + 1).saturating_sub(line.len());
        line.extend_from_slice(&buffer[..taken.min(room)]);
        input.consume(taken + usize::from(ended));
        if ended {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_end_is_cut_and_the_next_one_is_read() {
        let mut text = vec![b'x'; LARGEST * 3];
        text.extend_from_slice(b"\nnext\n\nlast");
        let mut input = std::io::BufReader::new(text.as_slice());
        let mut line = Vec::new();
        assert!(next_line(&mut input, &mut line).unwrap());
        assert_eq!(line.len(), LARGEST + 1);
        for expected in ["next", "", "last"] {
            assert!(next_line(&mut input, &mut line).unwrap());
            assert_eq!(line, expected.as_bytes());
        }
        assert!(!next_line(&mut input, &mut line).unwrap());
    }
}
