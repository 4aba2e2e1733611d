//! The explorer page: files built into the binary, so that there is nothing to install and nothing to fetch from elsewhere.

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::IntoResponse;
use axum::routing::get;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const YAML: &str = "application/yaml";

const FILES: [(&str, &str, &str); 12] = [
    ("/", HTML, include_str!("../assets/index.html")),
    ("/assets/explorer.css", CSS, include_str!("../assets/explorer.css")),
    ("/assets/explorer.js", SCRIPT, include_str!("../assets/explorer.js")),
    ("/assets/board.js", SCRIPT, include_str!("../assets/board.js")),
    ("/assets/position.js", SCRIPT, include_str!("../assets/position.js")),
    ("/assets/service.js", SCRIPT, include_str!("../assets/service.js")),
    ("/assets/arbiter.js", SCRIPT, include_str!("../assets/arbiter.js")),
    ("/assets/verdict.js", SCRIPT, include_str!("../assets/verdict.js")),
    ("/assets/claims.js", SCRIPT, include_str!("../assets/claims.js")),
    ("/assets/words.js", SCRIPT, include_str!("../assets/words.js")),
    ("/assets/icon.svg", SVG, include_str!("../assets/icon.svg")),
    ("/v1/openapi.yaml", YAML, include_str!("../assets/openapi.yaml")),
];

/// Nothing but what this service serves is ever loaded or run.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(crate) fn add_to<S: Clone + Send + Sync + 'static>(router: Router<S>) -> Router<S> {
    FILES.into_iter().fold(router, |router, (path, kind, text)| router.route(path, get(async move || file(kind, text))))
}

fn file(kind: &'static str, text: &'static str) -> impl IntoResponse {
    let headers: [(HeaderName, HeaderValue); 4] = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    (headers, text)
}
