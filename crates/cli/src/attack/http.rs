//! Just enough HTTP to attack with: one request a connection, from an address of choice.

use serde_json::Value;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// How long a reply may take.
const LONGEST: Duration = Duration::from_secs(20);

/// A client that comes from one address.
#[derive(Clone)]
pub struct Client {
    server: SocketAddr,
    from: IpAddr,
}

impl Client {
    pub fn new(server: SocketAddr, from: IpAddr) -> Self {
        Self { server, from }
    }

    /// A connection; from any address where the system has no other loopback addresses.
    pub async fn connect(&self) -> Option<TcpStream> {
        if self.server.is_ipv4() {
            let socket = TcpSocket::new_v4().ok()?;
            if socket.bind((self.from, 0).into()).is_ok() {
                return socket.connect(self.server).await.ok();
            }
        }
        TcpStream::connect(self.server).await.ok()
    }

    async fn ask(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Option<(u16, String)> {
        let exchange = async {
            let mut stream = self.connect().await?;
            let head = format!(
                "{method} {path} HTTP/1.1\r\nHost: flagplot\r\nConnection: close\r\n\
                 {headers}Content-Length: {}\r\n\r\n",
                body.len()
            );
            stream.write_all(head.as_bytes()).await.ok()?;
            stream.write_all(body).await.ok()?;
            let mut reply = Vec::new();
            stream.read_to_end(&mut reply).await.ok()?;
            let reply = String::from_utf8_lossy(&reply);
            let (head, body) = reply.split_once("\r\n\r\n")?;
            Some((head.split(' ').nth(1)?.parse().ok()?, body.to_owned()))
        };
        tokio::time::timeout(LONGEST, exchange).await.ok()?
    }

    pub async fn get(&self, path: &str) -> Option<(u16, String)> {
        self.ask("GET", path, "", b"").await
    }

    pub async fn get_as(&self, path: &str, token: &str) -> Option<(u16, Value)> {
        let (status, text) = self.ask("GET", path, &format!("Authorization: Bearer {token}\r\n"), b"").await?;
        Some((status, serde_json::from_str(&text).ok()?))
    }

    pub async fn post_text(&self, path: &str, body: &str) -> Option<(u16, String)> {
        self.ask("POST", path, "", body.as_bytes()).await
    }

    pub async fn post(&self, path: &str, token: &str, body: &Value) -> Option<(u16, Value)> {
        self.post_with(path, token, "", body).await
    }

    /// An answer whose reply says only how far the game has come.
    pub async fn answer(&self, path: &str, token: &str, body: &Value) -> Option<(u16, Value)> {
        self.post_with(path, token, "Prefer: return=minimal\r\n", body).await
    }

    async fn post_with(&self, path: &str, token: &str, headers: &str, body: &Value) -> Option<(u16, Value)> {
        let bearer = if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
        let (status, text) = self.ask("POST", path, &format!("{bearer}{headers}"), body.to_string().as_bytes()).await?;
        Some((status, serde_json::from_str(&text).unwrap_or_default()))
    }
}
