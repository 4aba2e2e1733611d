//! The gRPC service and the explorer page.
