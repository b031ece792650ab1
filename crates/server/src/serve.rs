//! The network: a limit on connections, timeouts for slow clients, and an orderly end.

use crate::app::App;
use crate::limit::household;
use crate::open_game::lock;
use crate::{Options, ServerError, app, state, store};
use axum::extract::ConnectInfo;
use axum::extract::Request;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::collections::HashMap;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::ServiceExt;
use tracing::{debug, warn};

/// The limits on connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// How many are open at once.
    pub connections: usize,
    /// How many are open at once from one address. It does not count behind a proxy.
    pub per_address: usize,
    /// How long a client may take to send the head of a request, also on a connection that is kept open, and the body.
    pub slow: Duration,
}

impl Default for Network {
    fn default() -> Self {
        Self { connections: 4_000, per_address: 400, slow: Duration::from_secs(15) }
    }
}

impl Network {
    /// No limits, for tests and measurements.
    #[must_use]
    pub fn unlimited() -> Self {
        Self { connections: usize::MAX, per_address: usize::MAX, ..Self::default() }
    }
}

/// When the server stops, requests in progress have this time to finish.
const LAST_REQUESTS: Duration = Duration::from_secs(10);

/// Listens as the options say, and calls `listening` with the address. Ends on Ctrl-C or SIGTERM, once the requests in
/// progress are answered.
pub async fn serve(options: Options, listening: impl FnOnce(SocketAddr)) -> Result<(), ServerError> {
    let listener = TcpListener::bind(options.listen).await.map_err(|error| {
        let remedy = match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                " Another program, perhaps another Flagplot, uses this port. Choose another one with --listen."
            }
            std::io::ErrorKind::AddrNotAvailable => " This machine has no such address.",
            std::io::ErrorKind::PermissionDenied => " Ports below 1024 need special rights.",
            _ => "",
        };
        ServerError(format!("Cannot listen on {}: {error}.{remedy}", options.listen))
    })?;
    let _alone = store::alone(&options.database)
        .map_err(|error| ServerError(format!("The database cannot be opened: {error}.")))?;
    let address = listener.local_addr().map_err(|error| ServerError(error.to_string()))?;
    let network = options.network;
    let state = state(options).await?;
    listening(address);
    serve_on(listener, state, network, asked_to_end()).await
}

/// The connections that are open, counted by address.
struct Connections {
    room: Arc<Semaphore>,
    each: usize,
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// A connection that is open, counted while it lives.
struct Connected {
    all: Arc<Connections>,
    address: IpAddr,
    _room: OwnedSemaphorePermit,
}

impl Connections {
    /// Counts a connection; none if its address has too many. Waits while there are too many in all.
    async fn open(self: &Arc<Self>, address: IpAddr) -> Option<Connected> {
        let address = household(address);
        {
            let mut open = lock(&self.open);
            let count = open.entry(address).or_default();
            if *count >= self.each {
                return None;
            }
            *count += 1;
        }
        let room = self.room.clone().acquire_owned().await.ok()?;
        Some(Connected { all: self.clone(), address, _room: room })
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        let mut open = lock(&self.all.open);
        match open.get_mut(&self.address) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(open.remove(&self.address)),
        }
    }
}

/// Raises the number of files the process may open as far as the system allows, and fits the connections into it.
#[cfg(unix)]
fn room_for(connections: usize) -> usize {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        debug!(%error, "the limit on open files stays as it is");
    }
    let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    // Some are for the database, webhooks and the client's files.
    connections.min(usize::try_from(files).unwrap_or(usize::MAX).saturating_sub(100).max(16))
}

#[cfg(not(unix))]
fn room_for(connections: usize) -> usize {
    connections
}

/// Answers requests on a listener until `end` comes.
pub async fn serve_on(
    listener: TcpListener,
    state: Arc<App>,
    network: Network,
    end: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServerError> {
    let connections = Arc::new(Connections {
        room: Arc::new(Semaphore::new(room_for(network.connections).min(Semaphore::MAX_PERMITS))),
        // Behind a proxy every connection comes from the proxy.
        each: if state.behind_proxy { usize::MAX } else { network.per_address },
        open: Mutex::default(),
    });
    let (closing, service) = (state.closing.clone(), app(state));
    let shutdown = GracefulShutdown::new();
    tokio::pin!(end);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut end => break,
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let opened = tokio::select! {
            opened = connections.open(address.ip()) => opened,
            () = &mut end => break,
        };
        let Some(connected) = opened else {
            debug!(%address, "too many connections from this address");
            continue;
        };
        let service = service.clone();
        let service = service.map_request(move |mut request: Request<hyper::body::Incoming>| {
            request.extensions_mut().insert(ConnectInfo(address));
            request.map(axum::body::Body::new)
        });
        let _ = TcpStream::set_nodelay(&stream, true);
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(network.slow)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
        let connection = shutdown.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                debug!(%address, %error, "a connection ended early");
            }
            drop(connected);
        });
    }
    drop(listener);
    closing.send_replace(true);
    let _ = tokio::time::timeout(LAST_REQUESTS, shutdown.shutdown()).await;
    Ok(())
}

/// Ctrl-C, or the system stops its services.
async fn asked_to_end() {
    let interrupt = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! { () = interrupt => (), () = terminate => () }
}
