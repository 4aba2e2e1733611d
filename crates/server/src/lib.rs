//! The query service: gRPC and JSON on one port, answered from tables.

mod coverage;
mod engine;
mod failure;
mod grpc;
mod http;
mod json;
mod library;
mod query;
mod server;
mod wanted;
mod wire;
mod work;

pub use library::Library;
pub use server::{Options, ServeError, Server, serve};
