//! The query service on the wire: messages, a client, and the trait a server implements.
//!
//! The definition is `bolshak/v1/tablebase.proto`; it documents every message and field.

/// `bolshak.v1`, as generated.
pub mod v1 {
    #![allow(missing_docs, clippy::all, clippy::pedantic)]
    tonic::include_proto!("bolshak.v1");
}

/// The file descriptor set of the service, for server reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
