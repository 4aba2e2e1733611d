//! The services on the wire: messages, clients, and the traits a server implements.
//!
//! The definitions are `bolshak/v1/tablebase.proto` and `bolshak/v1/arbiter.proto`; they document every message and field.
//!
//! ```
//! use bolshak_proto::v1::tablebase_service_client::TablebaseServiceClient;
//! use bolshak_proto::v1::{Position, ProbeRequest, Query, Value, position::Form};
//!
//! async fn value(address: String, fen: &str) -> Result<Value, Box<dyn std::error::Error>> {
//!     let mut client = TablebaseServiceClient::connect(address).await?;
//!     let position = Position { form: Some(Form::Fen(fen.to_owned())) };
//!     let query = Query { position: Some(position), ..Query::default() };
//!     let response = client.probe(ProbeRequest { query: Some(query), answer_mask: None }).await?;
//!     Ok(response.into_inner().answer.map_or(Value::Unspecified, |answer| answer.value()))
//! }
//! ```

/// `bolshak.v1`, as generated.
pub mod v1 {
    #![allow(missing_docs, clippy::all, clippy::pedantic)]
    tonic::include_proto!("bolshak.v1");
}

/// The file descriptor set of the services, for server reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
