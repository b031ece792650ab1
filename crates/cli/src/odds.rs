use crate::fields::{Person, input};
use crate::lists::procedure;
use crate::{Done, bars, file_refusal};
use clap::Args;
use flagplot_catalog::Catalog;
use flagplot_kernel::Refusal;
use flagplot_odds::{Budget, Fraction};
use flagplot_referee::{FieldOdds, Response, Shape, parse};
use serde_json::{Value, json};
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

/// `flagplot odds SYSTEM PROCEDURE`
#[derive(Args)]
pub struct Odds {
    /// The system
    system: String,
    /// The procedure
    procedure: String,
    /// The input as a JSON file, or - for standard input; without it you are asked field by field
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// One field of the result only, dotted
    #[arg(long)]
    field: Option<String>,
    /// Draw the distributions as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Also show what each whole number of the input, one more or one less, does to the expectation
    #[arg(long)]
    sensitivity: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Odds {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let about = procedure(catalog, &self.system, &self.procedure)?;
        let system = catalog.system(&self.system)?;
        let facts = match &self.input {
            Some(path) => read_json(path)?,
            None => input(&mut Person::new(std::io::stdin().lock()), &about.input, &system.library(), &system.codes())?,
        };
        let odds = self.ask(catalog, &facts)?;
        if let Some(path) = &self.svg {
            let drawing = bars::svg(&format!("{}: {}", system.title(), about.name), odds.fields());
            std::fs::write(path, drawing).map_err(|error| file_refusal("cannot-write", path, &error))?;
        }
        if self.json {
            println!("{}", json!({ "odds": odds }));
            return Ok(ExitCode::SUCCESS);
        }
        println!("{}: {} (exact)", system.title(), about.help);
        for (field, values) in odds.fields() {
            let mean = mean(values).map_or(String::new(), |mean| format!(", expected {mean:.3}"));
            if let [(value, _)] = values.as_slice() {
                println!("\n{field}: certainly {value}");
            } else {
                println!("\n{field}{mean}\n{}", bars::table(values, "  ").trim_end());
            }
        }
        if self.sensitivity {
            self.sensitivity(catalog, &about.input, &facts, &odds)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn ask(&self, catalog: &Catalog, facts: &Value) -> Result<FieldOdds, Refusal> {
        let mut request = json!({"system": self.system, "procedure": self.procedure, "input": facts, "odds": true});
        if let Some(field) = &self.field {
            request["field"] = field.clone().into();
        }
        match catalog.adjudicate(parse(request.to_string().as_bytes())?, || 0, Budget::default())? {
            Response::Odds { odds } => Ok(odds),
            Response::Ruling(_) => Err(Refusal::new("internal", "Odds were asked for and a ruling came.")),
        }
    }

    /// Each whole number of the input, one more and one less, side by side.
    fn sensitivity(&self, catalog: &Catalog, shape: &Shape, facts: &Value, base: &FieldOdds) -> Result<(), Refusal> {
        println!("\nEffect of one more or one less:");
        let filled = shape.check(facts.clone(), "input", &catalog.system(&self.system)?.codes())?;
        let mut paths = Vec::new();
        whole_numbers(&filled, String::new(), &mut paths);
        for (field, values) in base.fields() {
            let Some(before) = mean(values) else { continue };
            for path in &paths {
                let changes: Vec<String> = [-1i64, 1]
                    .into_iter()
                    .filter_map(|step| {
                        let mut changed = filled.clone();
                        let place = changed.pointer_mut(path)?;
                        *place = (place.as_i64()? + step).into();
                        let odds = self.ask(catalog, &changed).ok()?;
                        let after = mean(odds.get(field)?)?;
                        Some(format!("{step:+}: {after:.3} ({:+.3})", after - before))
                    })
                    .collect();
                if !changes.is_empty() {
                    println!("  {field} {before:.3}; {} {}", path.trim_start_matches('/').replace('/', "."), changes.join(", "));
                }
            }
        }
        Ok(())
    }
}

/// The expectation of a field whose values are all whole numbers.
pub fn mean(values: &[(String, Fraction)]) -> Option<f64> {
    values.iter().map(|(value, chance)| Some(value.parse::<f64>().ok()? * chance.to_f64())).sum()
}

fn whole_numbers(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Number(number) if number.is_i64() => found.push(path),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| whole_numbers(value, format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")), found)),
        Value::Array(items) => items.iter().enumerate().for_each(|(at, value)| whole_numbers(value, format!("{path}/{at}"), found)),
        _ => {}
    }
}

/// A JSON file, or standard input for `-`.
pub fn read_json(path: &PathBuf) -> Result<Value, Refusal> {
    let mut text = String::new();
    if path.as_os_str() == "-" {
        std::io::stdin().read_to_string(&mut text).map_err(|error| file_refusal("cannot-read", path, &error))?;
    } else {
        text = std::fs::read_to_string(path).map_err(|error| file_refusal("cannot-read", path, &error))?;
    }
    serde_json::from_str(&text).map_err(|error| Refusal::new("bad-json", format!("{}: not JSON: {error}.", path.display())))
}
