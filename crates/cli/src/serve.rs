use crate::Done;
use clap::Args;
use flagplot_catalog::Catalog;
use flagplot_kernel::Refusal;
use flagplot_server::{Mail, Network, Options, Quota, serve};
use std::io::IsTerminal;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use tracing_subscriber::filter::{EnvFilter, LevelFilter};

/// `flagplot serve`
#[derive(Args)]
#[command(after_help = "Addresses with passwords can come from the environment instead of the command line: \
        FLAGPLOT_DATABASE, FLAGPLOT_MAIL_SERVER.\n\nExamples:\n  flagplot serve --listen 0.0.0.0:7070\
        \n  flagplot serve --database postgres://flagplot@db.example/flagplot --public-address https://flagplot.example --behind-proxy\n  \
        flagplot serve --mail-server smtps://mail.example --mail-from 'Flagplot <flagplot@club.example>' \
        --notify-after 60")]
pub struct Serve {
    /// The address to listen on; only this machine can reach 127.0.0.1
    #[arg(long, default_value = "127.0.0.1:7070", value_name = "ADDRESS:PORT", value_parser = listen)]
    listen: SocketAddr,
    /// `postgres://…` or the path of an SQLite file; by default a file in your data folder
    #[arg(long, value_name = "DATABASE")]
    database: Option<String>,
    /// What people type to reach this server, such as https://flagplot.example, for links in notifications
    #[arg(long, value_name = "URL")]
    public_address: Option<String>,
    /// Trust the X-Forwarded-For header of a proxy in front of the server
    #[arg(long)]
    behind_proxy: bool,
    /// Send "your turn" e-mails through this server, such as smtps://user:password@mail.example or smtp://localhost:25
    #[arg(long, value_name = "URL")]
    mail_server: Option<String>,
    /// The sender of e-mails, such as 'Flagplot <flagplot@club.example>'
    #[arg(long, value_name = "ADDRESS")]
    mail_from: Option<String>,
    /// Allow webhooks to reach this machine and private networks
    #[arg(long)]
    private_webhooks: bool,
    /// Notify players who are away after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 3)]
    notify_after: u32,
    /// Drop an idle game from memory after this many seconds; it is loaded again on demand
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    forget_after: u32,
    /// Time spent on a luck analysis; a longer look takes five times as long
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    analyse_for: u32,
    /// Delete a game that has not changed for this many days; without it, games are kept
    #[arg(long, value_name = "DAYS")]
    keep_days: Option<u32>,
    /// How many games one account, or one address, may keep on this server
    #[arg(long, value_name = "GAMES", default_value_t = 2_000)]
    quota_games: u32,
    /// How many megabytes one account, or one address, may keep on this server
    #[arg(long, value_name = "MB", default_value_t = 200)]
    quota_mb: u32,
    /// How many connections are open at once
    #[arg(long, value_name = "NUMBER", default_value_t = 4_000, value_parser = clap::value_parser!(u32).range(1..))]
    connections: u32,
    /// How many connections are open at once from one address; it does not count behind a proxy
    #[arg(long, value_name = "NUMBER", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
    connections_each: u32,
}

impl Default for Serve {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 7070)),
            database: None,
            public_address: None,
            behind_proxy: false,
            mail_server: None,
            mail_from: None,
            private_webhooks: false,
            notify_after: 3,
            forget_after: 30,
            analyse_for: 60,
            keep_days: None,
            quota_games: 2_000,
            quota_mb: 200,
            connections: 4_000,
            connections_each: 400,
        }
    }
}

impl Serve {
    pub fn run(self, catalog: Catalog) -> Done {
        let failed = |message: String| Refusal::new("server-failed", message);
        let from_environment = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let database = match self.database.or_else(|| from_environment("FLAGPLOT_DATABASE")) {
            Some(database) => database,
            None => default_database()?,
        };
        let where_kept = if database.starts_with("postgres") { "PostgreSQL".to_owned() } else { database.clone() };
        let mail = match (self.mail_server.or_else(|| from_environment("FLAGPLOT_MAIL_SERVER")), self.mail_from) {
            (Some(server), Some(from)) => Some(Mail { server, from }),
            (None, None) => None,
            (Some(_), None) => {
                return Err(Refusal::new("no-mail-from", "E-mails need a sender.")
                    .remedy("Name it with --mail-from 'Flagplot <flagplot@club.example>'."));
            }
            (None, Some(_)) => {
                return Err(Refusal::new("no-mail-server", "E-mails need a mail server.")
                    .remedy("Name it with --mail-server smtps://mail.example."));
            }
        };
        let options = Options {
            listen: self.listen,
            catalog,
            public_address: self.public_address,
            behind_proxy: self.behind_proxy,
            mail,
            private_webhooks: self.private_webhooks,
            notify_after: Some(Duration::from_secs(self.notify_after.into())),
            forget_after: Some(Duration::from_secs(self.forget_after.into())),
            analyse_for: Some(Duration::from_secs(self.analyse_for.max(1).into())),
            keep_days: self.keep_days,
            network: Network {
                connections: self.connections as usize,
                per_address: self.connections_each as usize,
                ..Network::default()
            },
            quota: Quota { games: self.quota_games.into(), bytes: i64::from(self.quota_mb) << 20 },
            ..Options::new(database)
        };
        log();
        let runtime = tokio::runtime::Runtime::new().map_err(|error| failed(format!("{error}.")))?;
        let listening = |address: SocketAddr| {
            println!("Flagplot is at http://{address}/");
            println!("Games are kept in {where_kept}. Press Ctrl-C to stop; `flagplot help` lists the other commands.");
        };
        let ended = runtime.block_on(serve(options, listening));
        // A computation that is still running is of no use to anyone.
        runtime.shutdown_background();
        ended.map_err(|error| failed(error.to_string()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes the log to standard error, as `RUST_LOG` says; without it, what an operator should know.
fn log() {
    let filter = EnvFilter::builder().with_default_directive(LevelFilter::INFO.into()).from_env_lossy();
    let colours = std::io::stderr().is_terminal();
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(colours).init();
}

/// Parses an address to listen on: a number or a name, and a port.
fn listen(text: &str) -> Result<SocketAddr, String> {
    let form = "expected an address and a port, such as 127.0.0.1:7070, [::1]:7070 or localhost:7070; \
        0.0.0.0:7070 listens to the whole network";
    match text.to_socket_addrs() {
        Ok(mut found) => found.next().ok_or_else(|| form.to_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => Err(form.to_owned()),
        Err(error) => Err(format!("{error}; {form}")),
    }
}

/// The file for games in the user's data folder, which is created if need be.
fn default_database() -> Result<String, Refusal> {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = var("FLAGPLOT_DATA")
        .or_else(|| var("XDG_DATA_HOME").map(|dir| dir.join("flagplot")))
        .or_else(|| var("LOCALAPPDATA").map(|dir| dir.join("flagplot")));
    let folder = base
        .or_else(|| var("HOME").map(|home| home.join(".local/share/flagplot")))
        .unwrap_or_else(|| PathBuf::from("flagplot-data"));
    std::fs::create_dir_all(&folder).map_err(|error| crate::file_refusal("cannot-write", &folder, &error))?;
    Ok(folder.join("games.sqlite").display().to_string())
}
