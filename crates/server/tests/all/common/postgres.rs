//! A PostgreSQL of its own for a test that kills it.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A cluster in a folder of its own. PostgreSQL does not run as root, so that root runs it as the user `postgres`.
pub struct Cluster {
    /// The address of its database.
    pub address: String,
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
}

/// The folder of PostgreSQL's programs, the newest if there are several.
fn programs() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib/postgresql").ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let number = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok());
    folders.filter(|path| path.join("bin/postgres").exists()).max_by_key(number).map(|path| path.join("bin"))
}

fn run(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

impl Cluster {
    /// None where the tests have no PostgreSQL.
    pub fn start() -> Option<Self> {
        std::env::var_os("FLAGPLOT_TEST_POSTGRES")?;
        let programs = programs()?;
        let folder = std::env::temp_dir().join(super::unique());
        std::fs::create_dir_all(&folder).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let address = format!("postgres://flagplot@127.0.0.1:{port}/postgres");
        let mut cluster = Self { address, programs, folder, port };
        if cluster.is_root() {
            assert!(run(Command::new("chown").arg("postgres").arg(&cluster.folder)));
        }
        let data = cluster.data();
        assert!(run(cluster.program("initdb").arg("-D").arg(data).args([
            "-A",
            "trust",
            "-U",
            "flagplot",
            "--no-sync"
        ])));
        cluster.launch();
        Some(cluster)
    }

    fn is_root(&self) -> bool {
        std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn program(&self, name: &str) -> Command {
        let path = self.programs.join(name);
        if !self.is_root() {
            return Command::new(path);
        }
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(path);
        command.current_dir(Path::new("/"));
        command
    }

    /// Starts it, again and again while processes of the one before still hold its memory.
    pub fn launch(&mut self) {
        let (data, log) = (self.data(), self.folder.join("log"));
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories={}",
            self.port,
            self.folder.display()
        );
        for _ in 0..100 {
            let mut start = self.program("pg_ctl");
            start.arg("-D").arg(&data).arg("-w").arg("-o").arg(&options).arg("-l").arg(&log).arg("start");
            if run(&mut start) {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("PostgreSQL does not start: {}", std::fs::read_to_string(log).unwrap_or_default());
    }

    /// `SIGKILL` to its first process; the others end when they notice.
    pub fn kill(&mut self) {
        let lines = std::fs::read_to_string(self.data().join("postmaster.pid")).unwrap();
        let process = lines.lines().next().unwrap().trim().to_owned();
        assert!(run(Command::new("kill").args(["-9", &process])), "PostgreSQL was not killed");
        while Path::new("/proc").join(&process).exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let data = self.data();
        run(self.program("pg_ctl").arg("-D").arg(data).args(["-m", "immediate", "stop"]));
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
