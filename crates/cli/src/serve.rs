use crate::Done;
use clap::Args;
use flagplot_catalog::Catalog;
use flagplot_kernel::Refusal;
use flagplot_server::{Options, serve};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

/// `flagplot serve`
#[derive(Args)]
pub struct Serve {
    /// The address to listen on; only this machine can reach 127.0.0.1
    #[arg(long, default_value = "127.0.0.1:7070", value_name = "ADDRESS:PORT")]
    listen: SocketAddr,
    /// `postgres://…`, or the path of an SQLite file; by default a file in the folder for this program's data
    #[arg(long, value_name = "DATABASE")]
    database: Option<String>,
    /// What people type to reach this server, such as https://flagplot.example, for links in notifications
    #[arg(long, value_name = "URL")]
    public_address: Option<String>,
    /// Requests come from a proxy that names their origin in X-Forwarded-For
    #[arg(long)]
    behind_proxy: bool,
}

impl Default for Serve {
    fn default() -> Self {
        Self { listen: SocketAddr::from(([127, 0, 0, 1], 7070)), database: None, public_address: None, behind_proxy: false }
    }
}

impl Serve {
    pub fn run(self, catalog: Catalog) -> Done {
        let failed = |message: String| Refusal::new("server-failed", message);
        let database = match self.database {
            Some(database) => database,
            None => default_database()?,
        };
        let where_kept = if database.starts_with("postgres") { "PostgreSQL".to_owned() } else { database.clone() };
        let options = Options { listen: self.listen, catalog, public_address: self.public_address, behind_proxy: self.behind_proxy, ..Options::new(database) };
        let runtime = tokio::runtime::Runtime::new().map_err(|error| failed(format!("{error}.")))?;
        let listening = |address: SocketAddr| {
            println!("Flagplot is at http://{address}/");
            println!("Games are kept in {where_kept}. Ctrl-C ends the program; `flagplot help` lists what else it can do.");
        };
        runtime.block_on(serve(options, listening)).map_err(|error| failed(error.to_string()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The file for games in the user's folder for program data, which is made if it is not there.
fn default_database() -> Result<String, Refusal> {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = var("FLAGPLOT_DATA").or_else(|| var("XDG_DATA_HOME").map(|dir| dir.join("flagplot"))).or_else(|| var("LOCALAPPDATA").map(|dir| dir.join("flagplot")));
    let folder = base.or_else(|| var("HOME").map(|home| home.join(".local/share/flagplot"))).unwrap_or_else(|| PathBuf::from("flagplot-data"));
    std::fs::create_dir_all(&folder).map_err(|error| crate::file_refusal("cannot-write", &folder, &error))?;
    Ok(folder.join("games.sqlite").display().to_string())
}
