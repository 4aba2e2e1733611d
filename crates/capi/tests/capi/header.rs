//! The committed header is the one that the sources make.

use std::path::Path;

#[test]
fn header_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = ["error", "position", "tables", "coverage", "probe"];
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let builder = sources.iter().fold(cbindgen::Builder::new().with_config(config), |builder, source| {
        builder.with_src(root.join(format!("src/{source}.rs")))
    });
    let mut made = Vec::new();
    builder.generate().unwrap().write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let path = root.join("include/bolshak.h");
    if std::env::var_os("BOLSHAK_UPDATE_HEADER").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(made == committed, "include/bolshak.h is not current: run again with BOLSHAK_UPDATE_HEADER=1");
}
