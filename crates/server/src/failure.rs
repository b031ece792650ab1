use crate::store::StoreError;
use crate::wire::Refused;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flagplot_kernel::Refusal;
use serde_json::value::RawValue;

/// Why a request failed, as the client is told.
#[derive(Debug)]
pub struct Failure {
    pub status: StatusCode,
    /// The reason for the client.
    pub refusal: Box<Refusal>,
    /// The present position, if the answer was meant for another one.
    pub state: Option<Box<RawValue>>,
    /// After how many seconds to try again.
    pub retry: Option<u64>,
}

impl Failure {
    /// A failure with a status, a code and a sentence.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, refusal: Box::new(Refusal::new(code, message)), state: None, retry: None }
    }

    /// Something that does not exist.
    pub fn missing(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, message)
    }

    /// A malformed request.
    pub fn bad(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// A fault of the server. The reason goes to the log and not to the client.
    pub fn internal(why: impl std::fmt::Display) -> Self {
        tracing::error!(%why, "a request failed");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "Something went wrong on the server; nothing was changed. The server's log has the reason.",
        )
    }

    /// Adds the present position.
    #[must_use]
    pub fn with_state(mut self, state: Box<RawValue>) -> Self {
        self.state = Some(state);
        self
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let status = match refusal.code {
            "unknown-system" | "unknown-scenario" | "no-puzzle" | "no-puzzles" => StatusCode::NOT_FOUND,
            "bad-invitation" => StatusCode::UNAUTHORIZED,
            "invitation-used" | "seat-taken" => StatusCode::CONFLICT,
            "internal" => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self { status, refusal: Box::new(refusal), state: None, retry: None }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "the database failed");
        Self {
            retry: Some(1),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "storage",
                "The database did not answer. Send the same request again: an answer with the same id counts once.",
            )
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let body = Refused { error: *self.refusal, state: self.state };
        let mut response = (self.status, Json(body)).into_response();
        if let Some(seconds) = self.retry {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

pub type Reply<T> = Result<T, Failure>;
