//! `docs/FORMAT.md` and the code that reads files change together.

use bolshak_rules::{RuleSet, Rules, Variant};
use bolshak_tables::FORMAT_VERSION;
use xxhash_rust::xxh3::xxh3_64;

const DOCUMENT: &str = include_str!("../../../../docs/FORMAT.md");
/// The code that decides what the bytes of a file mean.
const CODE: [&str; 11] = [
    include_str!("../../src/codec/mod.rs"),
    include_str!("../../src/codec/blocks.rs"),
    include_str!("../../src/codec/dictionary.rs"),
    include_str!("../../src/codec/frame.rs"),
    include_str!("../../src/codec/huffman.rs"),
    include_str!("../../src/codec/phrases.rs"),
    include_str!("../../src/layout.rs"),
    include_str!("../../src/file.rs"),
    include_str!("../../src/index.rs"),
    include_str!("../../src/statistics.rs"),
    include_str!("../../src/kings.rs"),
];

/// A digest of the code without its comments, tests and blanks.
fn digest() -> String {
    let code: String = CODE
        .iter()
        .flat_map(|file| file.split("#[cfg(test)]\n").next().unwrap_or_default().lines())
        .map(str::trim)
        .filter(|line| !line.starts_with("//"))
        .flat_map(|line| line.chars().filter(|character| !character.is_whitespace()))
        .collect();
    format!("{:016x}", xxh3_64(code.as_bytes()))
}

#[test]
fn the_document_is_of_this_code() {
    let expected = format!("Format version {FORMAT_VERSION}, code {}.", digest());
    assert!(
        DOCUMENT.contains(&expected),
        "the code of the format has changed: bring docs/FORMAT.md up to date, then its line to: {expected}"
    );
}

#[test]
fn the_document_has_the_definitions_of_the_rules_and_their_digests() {
    for set in RuleSet::ALL {
        let definition = serde_json::to_string(&Rules::new(Variant::Russian, set)).unwrap();
        assert!(DOCUMENT.lines().any(|line| line == definition), "{definition}");
        for variant in Variant::ALL {
            let digest = Rules::new(variant, set).digest();
            let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            let row = format!("| {variant} | `{}` | `{digest}` |", set.name);
            assert!(DOCUMENT.lines().any(|line| line == row), "{row}");
        }
    }
}
