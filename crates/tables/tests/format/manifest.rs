//! The list of whole files: written, checked by us and by `sha256sum`, and leading nowhere but to tables.

use std::fs;
use std::process::Command;

use bolshak_tables::{ListedFault, MANIFEST_NAME, ManifestError, check_manifest, write_manifest};

use crate::made::tables;

#[test]
fn a_manifest_lists_every_table_and_names_what_is_not_as_it_was() {
    let (directory, _) = tables(&["KvKm"]);
    let directory = directory.path();
    let count = fs::read_dir(directory.join("russian")).unwrap().count() - 1;
    assert_eq!(write_manifest(directory).unwrap(), count, "all files but the lock");
    let checked = check_manifest(directory).unwrap();
    assert_eq!(checked.listed.len(), count);
    assert!(checked.listed.iter().all(|listed| listed.fault.is_none()), "{checked:?}");
    assert!(checked.unlisted.is_empty(), "{checked:?}");

    let value = directory.join("russian/KvKm.value");
    let mut bytes = fs::read(&value).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&value, bytes).unwrap();
    fs::remove_file(directory.join("russian/KvK.distance")).unwrap();
    let faults: Vec<_> =
        check_manifest(directory).unwrap().listed.into_iter().filter(|listed| listed.fault.is_some()).collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].name == "russian/KvK.distance" && matches!(faults[0].fault, Some(ListedFault::Io(_))));
    assert!(faults[1].name == "russian/KvKm.value" && matches!(faults[1].fault, Some(ListedFault::Hash)));
}

#[test]
fn tables_that_are_not_listed_are_named_and_nothing_is_not_a_list() {
    let (directory, _) = tables(&["KvK"]);
    let (directory, manifest) = (directory.path(), directory.path().join(MANIFEST_NAME));
    write_manifest(directory).unwrap();
    fs::copy(directory.join("russian/KvK.value"), directory.join("russian/KKKKvKK.official-kings")).unwrap();
    fs::write(directory.join("russian/notes.txt"), "no table").unwrap();
    fs::write(directory.join("russian/KvK.txt"), "no table").unwrap();
    let checked = check_manifest(directory).unwrap();
    assert!(checked.listed.iter().all(|listed| listed.fault.is_none()), "{checked:?}");
    assert_eq!(checked.unlisted, ["russian/KKKKvKK.official-kings"]);

    fs::write(&manifest, "").unwrap();
    assert!(matches!(check_manifest(directory), Err(ManifestError::Empty { .. })));
    fs::File::create(&manifest).unwrap().set_len(1 << 26).unwrap();
    assert!(matches!(check_manifest(directory), Err(ManifestError::Long { .. })));
    let empty = tempfile::tempdir().unwrap();
    assert!(matches!(write_manifest(empty.path()), Err(ManifestError::Empty { .. })));
    assert!(!empty.path().join(MANIFEST_NAME).exists());
    let missing = empty.path().join("missing");
    assert!(matches!(write_manifest(&missing), Err(ManifestError::Io { path, .. }) if path == missing));
}

#[test]
fn sha256sum_reads_it() {
    let (directory, _) = tables(&["KvK"]);
    write_manifest(directory.path()).unwrap();
    let check = || Command::new("sha256sum").args(["-c", "--strict", MANIFEST_NAME]).current_dir(&directory).output();
    let Ok(sound) = check() else { return };
    assert!(sound.status.success(), "{sound:?}");
    fs::write(directory.path().join("russian/KvK.value"), "no table").unwrap();
    assert!(!check().unwrap().status.success());
}

#[test]
fn a_line_that_leads_elsewhere_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let hash = "0".repeat(64);
    for name in [
        "/etc/passwd",
        "russian/../secret",
        "russian/KvK",
        "russian/KvK.notes",
        "chess/KvK.value",
        "russian/KvK.value/..",
        "",
    ] {
        fs::write(directory.path().join(MANIFEST_NAME), format!("{hash}  russian/KvK.value\n{hash}  {name}\n"))
            .unwrap();
        let error = check_manifest(directory.path()).unwrap_err();
        assert!(matches!(error, ManifestError::Line { line: 2, .. }), "{name}: {error}");
    }
    let no_hash = "g".repeat(64);
    let no_line_feed = format!("{hash}  russian/KvK.value");
    let carriage_return = format!("{hash}  russian/KvK.value\r\n");
    let upper_case = format!("{}  russian/KvK.value\n", "A".repeat(64));
    for line in [format!("{no_hash}  russian/KvK.value\n"), no_line_feed, carriage_return, upper_case] {
        fs::write(directory.path().join(MANIFEST_NAME), &line).unwrap();
        let error = check_manifest(directory.path()).unwrap_err();
        assert!(matches!(error, ManifestError::Line { line: 1, .. }), "{line}: {error}");
    }
    let [line, next] = ["distance", "value"].map(|kind| format!("{hash}  russian/KvK.{kind}\n"));
    for wrong in [format!("{line}{line}"), format!("{next}{line}")] {
        fs::write(directory.path().join(MANIFEST_NAME), wrong).unwrap();
        assert!(matches!(check_manifest(directory.path()), Err(ManifestError::Order { line: 2, .. })));
    }
}
