//! `stage`, with a directory for storage; `deploy/cluster/objects.sh` does the same with S3.

use crate::{lines, small_tables};

#[test]
fn tables_go_out_and_come_back_the_same() {
    let tables = small_tables("official");
    let [storage, back] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let url = format!("file://{}/kept", storage.path().display());
    let stage =
        |directory: &std::path::Path, way: &str| lines(directory, &["stage", way, &url, "--slices", "KmvKm"]).remove(0);
    let out = stage(tables.path(), "out");
    assert!(out.starts_with("36 tables of ") && out.ends_with(" 0 were there already, 12 are not made yet"), "{out}");
    assert!(stage(tables.path(), "out").starts_with("0 tables of 0 bytes copied, 36 were there already"));

    assert!(stage(back.path(), "in").starts_with("36 tables of "));
    assert!(stage(back.path(), "in").starts_with("0 tables of 0 bytes copied, 36 were there already"));
    for entry in std::fs::read_dir(back.path().join("russian")).unwrap() {
        let name = entry.unwrap().file_name();
        let read = |directory: &std::path::Path| std::fs::read(directory.join("russian").join(&name)).unwrap();
        assert_eq!(read(tables.path()), read(back.path()), "{name:?}");
    }
}

#[test]
fn tables_of_king_moves_left_go_along_when_they_are_wanted() {
    let [tables, storage, back] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    lines(tables.path(), &["generate", "--slices", "KKKKvm", "--kings"]);
    let url = format!("file://{}", storage.path().display());
    let stage = |directory: &std::path::Path, way: &str, kings: &[&str]| {
        lines(directory, &[&["stage", way, &url, "--slices", "KKKKvm"], kings].concat()).remove(0)
    };
    assert!(stage(tables.path(), "out", &[]).ends_with(" 0 were there already, 0 are not made yet"));
    let out = stage(tables.path(), "out", &["--kings"]);
    assert!(out.starts_with("2 tables of ") && out.ends_with(" 0 are not made yet"), "{out}");
    stage(back.path(), "in", &["--kings"]);
    for name in ["KKKKvm.official-kings", "mvKKKK.official-kings"] {
        let read = |directory: &std::path::Path| std::fs::read(directory.join("russian").join(name)).unwrap();
        assert_eq!(read(tables.path()), read(back.path()), "{name}");
    }
}
