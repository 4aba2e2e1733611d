//! Compiles the wire definitions without `protoc`.

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

use prost::Message;

const PROTOS: [&str; 2] = ["bolshak/v1/arbiter.proto", "bolshak/v1/tablebase.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    for proto in PROTOS {
        println!("cargo::rerun-if-changed={proto}");
    }
    let descriptors = protox::compile(PROTOS, ["."])?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    fs::write(out.join("descriptors.bin"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
