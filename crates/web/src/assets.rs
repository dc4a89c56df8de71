//! The files of the page, held by the binary.
//!
//! One line of the table for each file in `static/`; a test says which is
//! missing. Browsers keep them and ask again by their tag.

use axum::Router;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use crate::App;
use crate::problem::not_found;

/// A file of the page.
pub struct Asset {
    /// Its address below `/static/`.
    pub path: &'static str,
    bytes: &'static [u8],
}

macro_rules! assets {
    ($($path:literal),* $(,)?) => {
        &[$(Asset { path: $path, bytes: include_bytes!(concat!("../static/", $path)) }),*]
    };
}

/// Every file, in alphabetical order.
pub const ASSETS: &[Asset] = assets![
    "app.js",
    "icon.svg",
    "lib/answers.js",
    "lib/api.js",
    "lib/board.js",
    "lib/dom.js",
    "lib/game.js",
    "lib/keys.js",
    "lib/list.js",
    "lib/puzzle.js",
    "lib/store.js",
    "lib/theme.js",
    "lib/timeline.js",
    "lib/trace.js",
    "lib/url.js",
    "lib/worker.js",
    "panes/chart.js",
    "panes/list.js",
    "panes/pane.js",
    "panes/rows.js",
    "panes/tree.js",
    "report/charts.js",
    "report/compare.js",
    "report/made.js",
    "report/papers.js",
    "style/api.css",
    "style/base.css",
    "style/board.css",
    "style/model.css",
    "style/play.css",
    "style/report.css",
    "style/watch.css",
    "views/api.js",
    "views/compare.js",
    "views/index.js",
    "views/model.js",
    "views/model/editor.js",
    "views/model/edits.js",
    "views/model/plan.js",
    "views/model/problems.js",
    "views/papers.js",
    "views/play.js",
    "views/play/hint.js",
    "views/play/import.js",
    "views/play/keypad.js",
    "views/play/keys.js",
    "views/play/more.js",
    "views/play/rating.js",
    "views/race.js",
    "views/watch.js",
];

/// The addresses of the page; `static/views/index.js` says what each shows.
pub const VIEWS: &[&str] = &[
    "/play", "/watch", "/race", "/model", "/papers", "/compare", "/api",
];

const INDEX: Asset = Asset {
    path: "index.html",
    bytes: include_bytes!("../static/index.html"),
};

/// The page at every address of a view, and its files.
pub fn router() -> Router<App> {
    let mut router = Router::new()
        .route("/", get(|| async { Redirect::temporary("/play") }))
        .route("/static/{*path}", get(file));
    for view in VIEWS {
        router = router.route(view, get(index));
    }
    router
}

async fn index(headers: HeaderMap) -> Response {
    INDEX.answer(&headers)
}

async fn file(Path(path): Path<String>, uri: axum::http::Uri, headers: HeaderMap) -> Response {
    // A name is looked up in the table and never in a file system.
    match ASSETS.iter().find(|asset| asset.path == path) {
        Some(asset) => asset.answer(&headers),
        None => not_found(uri).await.into_response(),
    }
}

impl Asset {
    /// The file as text.
    pub fn text(&self) -> &'static str {
        std::str::from_utf8(self.bytes).unwrap_or_default()
    }

    fn answer(&self, headers: &HeaderMap) -> Response {
        let tag = format!("\"{:016x}\"", fingerprint(self.bytes));
        let known = headers
            .get(IF_NONE_MATCH)
            .and_then(|tags| tags.to_str().ok());
        let fresh = [(ETAG, tag.clone()), (CACHE_CONTROL, "no-cache".into())];
        if known.is_some_and(|tags| tags.split(',').any(|known| known.trim() == tag)) {
            return (StatusCode::NOT_MODIFIED, fresh).into_response();
        }
        let kind = self.kind().unwrap_or("application/octet-stream");
        (fresh, [(CONTENT_TYPE, kind)], self.bytes).into_response()
    }

    fn kind(&self) -> Option<&'static str> {
        Some(match self.path.rsplit_once('.')?.1 {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            _ => return None,
        })
    }
}

/// FNV-1a: the same bytes have the same tag.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_of_the_page_is_in_the_table() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("static");
        let (mut found, mut folders) = (Vec::new(), vec![root.clone()]);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => found.push(path.strip_prefix(&root).unwrap().display().to_string()),
                }
            }
        }
        found.retain(|path| path != INDEX.path);
        found.sort();
        let listed: Vec<&str> = ASSETS.iter().map(|asset| asset.path).collect();
        assert_eq!(listed, found);
    }

    #[test]
    fn the_server_and_the_page_agree_on_the_views() {
        let index = include_str!("../static/views/index.js");
        let lines = index
            .lines()
            .filter_map(|line| line.split("path: \"").nth(1));
        let paths: Vec<&str> = lines.filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(paths, VIEWS);
    }
}
