//! Every command of the contract.

use std::path::Path;

use bolshak_tables::SliceIndex;

use crate::{bolshak, bolshak_with, failure, lines, small_tables};

const NO_TABLES: &str = "no-such-directory";

#[test]
fn probe_tells_value_distance_and_moves() {
    let tables = small_tables("official");
    let text = lines(tables.path(), &["probe", "W:WKa1,c3:BKh8"]);
    assert_eq!(text[2], "win, 2 plies to the next capture, promotion or the end");

    let json: serde_json::Value =
        serde_json::from_str(&lines(tables.path(), &["probe", "W:WKa1,c3:BKh8", "--format", "json"])[0]).unwrap();
    assert_eq!(json["value"], "win");
    assert_eq!(json["dtc"], 2);
    assert_eq!(json["moves"][0], serde_json::json!({"move": "c3-d4", "value": "win", "dtc": 2}));
    assert!(json.get("over_by").is_none());

    let json: serde_json::Value = serde_json::from_str(
        &lines(tables.path(), &["probe", "W:WKa1,Kc1:BKb8", "--ratio", "10", "--kings", "10", "--format", "json"])[0],
    )
    .unwrap();
    assert_eq!((&json["value"], &json["over_by"]), (&"draw".into(), &"1.9.1.4".into()));
    assert_eq!(json["moves"], serde_json::json!([]));
}

#[test]
fn a_side_without_pieces_has_lost_without_any_tables() {
    for (fen, value) in [("W:W:BKa1", "loss"), ("W:WKa1:B", "win")] {
        let line = &lines(Path::new(NO_TABLES), &["probe", fen, "--format", "json"])[0];
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((&json["value"], &json["dtc"]), (&value.into(), &0.into()));
        assert_eq!(json["over_by"], "no-move");
    }
}

#[test]
fn a_batch_answers_every_line_in_order() {
    let tables = small_tables("official");
    let input = "W:WKa1,c3:BKh8\nW:WKa1,c3:BKh8\t4\t2\t0\nW:WKa1,c3:BKh8\t2\t4\t0\nrubbish\nW:WKa1:BKh8\t1\n";
    let output = bolshak_with(tables.path(), &["probe", "--batch"], input);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "W:WKa1,c3:BKh8\t0\t0\t0\twin\t2");
    assert_eq!(lines[1], "W:WKa1,c3:BKh8\t4\t2\t0\twin\t2");
    assert_eq!(lines[2], "W:WKa1,c3:BKh8\t2\t4\t0\terror\tkings (4) is greater than ratio (2)");
    assert!(lines[3].starts_with("rubbish\t0\t0\t0\terror\t"));
    assert!(lines[4].starts_with("W:WKa1:BKh8\t1\t0\t0\terror\t2 fields"));
    assert_eq!(lines.len(), 5);
}

#[test]
fn a_batch_warns_by_line_and_takes_no_counters_of_its_own() {
    let tables = small_tables("none");
    let input = "W:WKa1:BKh8\nW:WKа1:BKh8:H5:F3\n";
    let output = bolshak_with(tables.path(), &["probe", "--batch", "--rules", "none"], input);
    let warnings = String::from_utf8(output.stderr).unwrap();
    assert_eq!(warnings.lines().filter(|line| line.starts_with("bolshak: warning: line 2: ")).count(), 2, "{warnings}");
    for flag in ["--ratio", "--kings", "--road"] {
        let (code, message) = failure(tables.path(), &["probe", "--batch", flag, "1"]);
        assert_eq!(code, 2);
        assert!(message.contains("cannot be used with"), "{message}");
    }
}

#[test]
fn the_answer_says_whether_the_history_counts() {
    let tables = small_tables("official");
    lines(tables.path(), &["generate", "--pieces", "3", "--rules", "classic"]);
    let probe = |rules: &str, history: &[&str]| -> serde_json::Value {
        let args = [&["probe", "W:Wc1,g1:Bd6", "--format", "json", "--rules", rules], history].concat();
        serde_json::from_str(&lines(tables.path(), &args)[0]).unwrap()
    };
    let twice = ["--history", "B:Wg1,d2:Bd6", "--history", "B:Wg1,d2:Bd6"];
    let answer = probe("official", &twice);
    assert_eq!(
        (&answer["value"], &answer["dtc"], &answer["history_considered"]),
        (&"win".into(), &7.into(), &true.into())
    );
    assert_eq!(answer["moves"][0]["dtc"], 7);
    assert_eq!(probe("official", &[])["dtc"], 5);
    assert_eq!(probe("official", &[])["history_considered"], false);
    assert_eq!(probe("classic", &twice)["history_considered"], false);
}

#[test]
fn a_line_is_played_to_the_end() {
    let tables = small_tables("official");
    let line = lines(tables.path(), &["line", "W:WKa1,c3:BKh8"]);
    assert_eq!(line.last().unwrap(), "White has won");
    let drawn = lines(tables.path(), &["line", "W:WKa1,Kc1:BKb8"]);
    assert_eq!(drawn.last().unwrap(), "drawn: neither side can force a win");
}

#[test]
fn moves_name_what_is_captured_and_the_position_after() {
    let moves = lines(Path::new(NO_TABLES), &["moves", "W:WKh4:Bg3,c5,e5,g5"]);
    assert!(moves.contains(&"h4:f2:b6\tg3,c5\tB:WKb6:Be5,g5".to_owned()), "{moves:?}");
    assert_eq!(lines(Path::new(NO_TABLES), &["moves", "start"]).len(), 7);
    assert_eq!(lines(Path::new(NO_TABLES), &["moves", "W:WKa1:BKh8"])[0], "a1-b2\t\tB:WKb2:BKh8");
}

#[test]
fn perft_counts_leaves() {
    let counts = lines(Path::new(NO_TABLES), &["perft", "start", "6"]);
    assert_eq!(counts, ["1\t7", "2\t49", "3\t302", "4\t1469", "5\t7482", "6\t37986"]);
}

#[test]
fn stats_lists_slices() {
    let tables = small_tables("none");
    let rows = lines(tables.path(), &["stats", "--rules", "none", "KvK", "mvKm"]);
    assert!(rows[0].starts_with("slice\tpositions\twin\tcursed_win\tdraw\tblessed_loss\tloss\tlongest_win\t"));
    assert!(rows[1].starts_with("KvK\t992\t194\t0\t796\t0\t2\t"), "{}", rows[1]);
    assert!(rows[2].starts_with("mvKm\t22800\t625\t0\t6434\t0\t15741\t"), "{}", rows[2]);
    assert_eq!(lines(tables.path(), &["stats", "--rules", "none"]).len(), 17);
    let rows = lines(tables.path(), &["stats", "--rules", "none", "--distances", "KvK"]);
    assert_eq!(rows, ["slice\tvalue\tdtc\tpositions", "KvK\twin\t1\t182", "KvK\twin\t3\t12", "KvK\tloss\t2\t2"]);
}

#[test]
fn generation_keeps_what_is_there_and_verify_accepts_it() {
    let tables = small_tables("fmjd64");
    let again = bolshak(tables.path(), &["generate", "--pieces", "3", "--rules", "fmjd64"]);
    assert!(String::from_utf8(again.stderr).unwrap().contains("all tables are there already"));
    let checked = lines(tables.path(), &["verify", "--rules", "fmjd64", "--full"]);
    assert_eq!(checked.len(), 16);
    assert!(checked.iter().all(|line| line.contains("\tok\t")), "{checked:?}");
}

#[test]
fn both_solvers_make_the_same_files() {
    let [setwise, scalar] = ["setwise", "scalar"].map(|solver| {
        let directory = tempfile::tempdir().unwrap();
        lines(directory.path(), &["generate", "--pieces", "3", "--rules", "official", "--solver", solver]);
        directory
    });
    let mut files = 0;
    for entry in std::fs::read_dir(setwise.path().join("russian")).unwrap() {
        let name = entry.unwrap().file_name();
        let read = |directory: &Path| std::fs::read(directory.join("russian").join(&name)).unwrap();
        assert_eq!(read(setwise.path()), read(scalar.path()), "{name:?}");
        files += 1;
    }
    assert_eq!(files, 16 * 3 + 1, "three kinds for each slice, and the lock");
}

#[test]
fn a_damaged_table_is_named_and_never_answers() {
    let tables = small_tables("none");
    let path = tables.path().join("russian/KmvK.value");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[60] ^= 4;
    std::fs::write(&path, bytes).unwrap();
    let fen = SliceIndex::new("KmvK".parse().unwrap()).position(0).to_fen();
    let (code, message) = failure(tables.path(), &["probe", "--rules", "none", &fen]);
    assert_eq!(code, 1);
    assert!(message.contains("KmvK.value") && message.contains("is damaged"), "{message}");
    let verified = bolshak(tables.path(), &["verify", "--rules", "none"]);
    assert_eq!(verified.status.code(), Some(1));
    assert!(String::from_utf8(verified.stdout).unwrap().contains("KmvK\tFAULT\t"));
    let stats = bolshak(tables.path(), &["stats", "--rules", "none"]);
    assert_eq!((stats.status.code(), String::from_utf8(stats.stdout).unwrap().lines().count()), (Some(1), 16));
}

#[test]
fn every_damaged_table_of_any_kind_is_named() {
    let tables = small_tables("none");
    let at = |name: &str| tables.path().join("russian").join(name);
    std::fs::write(at("KmvK.distance"), "no table").unwrap();
    std::fs::write(at("KmvK.fmjd64"), "no table").unwrap();
    std::fs::write(at("KvKKK.classic"), "no table").unwrap();
    let verified = bolshak(tables.path(), &["verify", "--rules", "none"]);
    let output = String::from_utf8(verified.stdout).unwrap();
    let faults: Vec<&str> = output.lines().filter(|line| line.contains("\tFAULT\t")).collect();
    let wrong =
        |file: &str| faults.iter().any(|line| line.contains(file) && line.contains("it is not a bolshak table"));
    assert!(["KmvK.distance", "KmvK.fmjd64", "KvKKK.classic"].into_iter().all(wrong), "{faults:?}");
    assert!(faults.contains(&"KvKKK\tFAULT\tKvKKK has no table 'value'"), "{faults:?}");
}

#[test]
fn a_manifest_is_written_and_checked() {
    let tables = small_tables("none");
    assert!(lines(tables.path(), &["manifest"])[0].starts_with("32 tables listed in "));
    assert_eq!(lines(tables.path(), &["manifest", "--check"]).len(), 32);
    let added = tables.path().join("russian/KmvK.fmjd64");
    std::fs::copy(tables.path().join("russian/KmvK.value"), &added).unwrap();
    assert_eq!(lines(tables.path(), &["manifest", "--check"]).last().unwrap(), "russian/KmvK.fmjd64\tunlisted");
    std::fs::remove_file(added).unwrap();
    std::fs::write(tables.path().join("russian/KmvK.value"), "no table").unwrap();
    let checked = bolshak(tables.path(), &["manifest", "--check"]);
    assert_eq!(checked.status.code(), Some(1));
    assert!(String::from_utf8(checked.stdout).unwrap().contains("russian/KmvK.value\tFAULT\t"));
}

#[test]
fn a_table_of_another_slice_or_rule_set_is_refused() {
    let tables = small_tables("official");
    let path = |name: &str| tables.path().join("russian").join(name);
    std::fs::copy(path("KvKm.official"), path("KmvK.official")).unwrap();
    let (code, message) = failure(tables.path(), &["probe", "W:Wb6,Kb8:BKh2"]);
    assert_eq!(code, 1);
    assert!(message.contains("it holds russian KvKm.official"), "{message}");
    std::fs::copy(path("KmvK.value"), path("KmvK.fmjd64")).unwrap();
    let (code, message) = failure(tables.path(), &["probe", "--rules", "fmjd64", "W:Wb6,Kb8:BKh2"]);
    assert_eq!(code, 1);
    assert!(message.contains("KmvK.fmjd64") && message.contains("it holds"), "{message}");
}

#[test]
fn exit_codes_and_messages_name_what_was_wrong() {
    let nowhere = Path::new(NO_TABLES);
    for (args, code, part) in [
        (&["probe", "X:Wa1:Bh8"][..], 2, "side to move"),
        (&["probe", "W:WKa1:BKh8", "--kings", "3"], 2, "kings (3) is greater than ratio (0)"),
        (&["probe", "W:WKa1:BKh8", "--rules", "oficial"], 2, "unknown rule set 'oficial'"),
        (&["probe", "W:WKa1:BKh8", "--variant", "chess"], 2, "unknown variant 'chess'"),
        (&["probe"], 2, "required"),
        (&["probe", "W:WKa1:BKh8"], 1, "not in these tables: KvK under 'official'"),
        (&["stats"], 1, "no-such-directory has no tables"),
        (&["verify"], 1, "no-such-directory has no russian tables"),
        (&["manifest", "--check"], 1, "no-such-directory/MANIFEST.sha256"),
        (&["stats", "KxK"], 2, "is no slice"),
        (&["generate"], 2, "required"),
        (&["generate", "--pieces", "1"], 2, "1 is not in 2..=12"),
        (&["generate", "--slices", "KvKv"], 2, "is no slice"),
        (&["generate", "--pieces", "3", "--memory", "much"], 2, "'much' is not a size"),
        (&["generate", "--pieces", "3", "--memory", "1K"], 1, "more than the"),
        (&["perft", "start", "x"], 2, "invalid"),
        (&["frobnicate"], 2, "unrecognized subcommand"),
    ] {
        let (found, message) = failure(nowhere, args);
        assert_eq!(found, code, "{args:?}: {message}");
        assert!(message.contains(part), "{args:?}: {message}");
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    let commands = [
        "generate",
        "plan",
        "slice",
        "probe",
        "line",
        "moves",
        "perft",
        "stats",
        "verify",
        "manifest",
        "arbiter",
        "serve",
        "completions",
        "man",
    ];
    for command in commands {
        let help = lines(Path::new(NO_TABLES), &[command, "--help"]).join("\n");
        assert!(help.contains("Example"), "{command}");
    }
}
