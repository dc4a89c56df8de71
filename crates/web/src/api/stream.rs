//! What the streams of the API have in common.

use serde::Serialize;
use utoipa::ToSchema;

/// An event of a stream.
#[derive(Serialize, ToSchema)]
pub struct StreamEvent {
    /// What it tells.
    pub event: String,
    /// Its data: JSON as text.
    pub data: String,
}
