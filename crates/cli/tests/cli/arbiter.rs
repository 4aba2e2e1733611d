//! The `arbiter` command on the games in `data/games`.

use std::path::Path;

use crate::{bolshak_with, failure, lines};

const NO_TABLES: &str = "no-such-directory";
const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/games/");

fn json(args: &[&str]) -> Vec<serde_json::Value> {
    let args = [&["arbiter", "--format", "json"], args].concat();
    lines(Path::new(NO_TABLES), &args).iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_game_gets_an_object_on_a_line() {
    let verdicts = json(&[&format!("{GAMES}1.9.1.6.pdn")]);
    assert!(verdicts.len() > 2);
    let first = &verdicts[0];
    assert_eq!((&first["game"], &first["plies"], &first["result"]), (&1.into(), &30.into(), &"draw".into()));
    assert_eq!(first["error"], serde_json::Value::Null);
    let sets: Vec<&String> = first["rules"].as_object().unwrap().keys().collect();
    assert_eq!(sets.len(), 4);
    let met: Vec<_> = first["rules"]["official"]
        .as_array()
        .unwrap()
        .iter()
        .map(|met| (met["article"].as_str().unwrap(), met["first_met_ply"].as_u64().unwrap()))
        .collect();
    assert_eq!(met, [("1.9.1.7", 8), ("1.9.1.6", 30)]);
    assert_eq!(first["rules"]["fmjd64"][1]["cites"], "7.2.5");
    assert!(verdicts[1]["rules"]["official"].as_array().unwrap().iter().all(|met| met["article"] != "1.9.1.6"));
}

#[test]
fn one_rule_set_and_one_game_can_be_chosen() {
    let verdicts = json(&[&format!("{GAMES}1.9.1.6.pdn"), "--rules", "classic", "--game", "2"]);
    assert_eq!(verdicts.len(), 1);
    assert_eq!(verdicts[0]["game"], 2);
    assert_eq!(verdicts[0]["rules"].as_object().unwrap().len(), 1);
}

#[test]
fn a_bad_game_never_stops_a_file() {
    let games = "[Event \"bad\"]\n\n1. c3-d4 b6-a5 2. d4-d5 *\n\n[Event \"good\"]\n\n1. c3-d4 b6-a5 *\n";
    let output = bolshak_with(Path::new(NO_TABLES), &["arbiter", "-", "--format", "json"], games);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let verdicts: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(verdicts.len(), 2);
    assert_eq!((&verdicts[0]["plies"], &verdicts[0]["error"]["ply"]), (&2.into(), &3.into()));
    assert!(verdicts[0]["error"]["message"].as_str().unwrap().contains("d4-d5"));
    assert_eq!((&verdicts[1]["plies"], &verdicts[1]["error"]), (&2.into(), &serde_json::Value::Null));
}

#[test]
fn claims_are_upheld_refused_or_not_considered() {
    let file = format!("{GAMES}1.9.1.6.pdn");
    let claim = |ply: &str, side: &str, more: &[&str]| {
        let args =
            [&[&file, "--game", "1", "--claim", "1.9.1.7", "--side", side, "--ply", ply, "--rules", "official"], more];
        json(&args.concat())[0]["claim"]["official"]["verdict"].clone()
    };
    assert_eq!(claim("8", "white", &[]), "upheld");
    assert_eq!(claim("7", "black", &["--intended", "h4-e1"]), "upheld");
    assert_eq!(claim("7", "black", &[]), "refused");
    assert_eq!(claim("8", "black", &[]), "refused");
    assert_eq!(claim("8", "white", &["--no-record"]), "not-considered");
}

#[test]
fn a_report_is_a_page_for_one_game() {
    let file = format!("{GAMES}1.9.1.6.pdn");
    let page = lines(Path::new(NO_TABLES), &["arbiter", &file, "--game", "1", "--format", "html", "--language", "ru"]);
    let page = page.join("\n");
    assert!(page.contains("<svg") && page.contains("1.9.1.6") && page.contains("lang=\"ru\""));
    let (code, message) = failure(Path::new(NO_TABLES), &["arbiter", &file, "--format", "html"]);
    assert_eq!((code, message.as_str()), (2, "bolshak: a page shows one game: choose it with --game"));
}

#[test]
fn a_game_without_a_position_never_stops_an_adjudication() {
    let games = "[FEN \"W:Wa2:B\"]\n1. a1-b2 *\n\n[FEN \"W:Wc3:Ba7\"]\n1. c3-d4 *\n";
    let run = |format| {
        let output = bolshak_with(Path::new(NO_TABLES), &["arbiter", "-", "--adjudicate", "--format", format], games);
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let told: Vec<serde_json::Value> = run("json").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told[0]["error"], "game 1 has no position to adjudicate");
    assert_eq!(told[1]["adjudication"]["official"]["fen"], "B:Wd4:Ba7");
    assert!(run("text").starts_with("game 1 has no position to adjudicate\nofficial: B:Wd4:Ba7"));
}

#[test]
fn records_are_written_in_one_form() {
    let games = "1.cd4 ba5 2.d4:c5 *\n\n[White \"B\"]\n[Result \"1-0\"]\n1. c3d4! {good} 1... b6a5 1-0\n";
    let output = bolshak_with(Path::new(NO_TABLES), &["arbiter", "-", "--format", "pdn"], games);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("[White \"B\"]") && text.contains("[Result \"2-0\"]"), "{text}");
    assert_eq!(text.matches("1. c3-d4").count(), 2, "{text}");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.starts_with("bolshak: game 1: ply 3: 'd4:c5'"), "{errors}");
    let again = bolshak_with(Path::new(NO_TABLES), &["arbiter", "-", "--format", "pdn"], &text);
    assert_eq!(String::from_utf8(again.stdout).unwrap(), text);
}

#[test]
fn bad_usage_is_named() {
    let file = format!("{GAMES}1.9.1.6.pdn");
    for (args, part) in [
        (&["arbiter", "no-such-file.pdn"][..], "no-such-file.pdn: No such file"),
        (&["arbiter", &file, "--game", "999"], "there is no game 999"),
        (&["arbiter", &file, "--claim", "1.9.1.7"], "--side"),
        (&["arbiter", &file, "--claim", "1.9.9", "--side", "white", "--ply", "1"], "'1.9.9' is no article"),
        (&["arbiter", &file, "--claim", "1.9.1.7", "--side", "white", "--ply", "9999"], "the record has"),
        (&["arbiter", &file, "--adjudicate", "--format", "pdn"], "told as text or json"),
        (&["arbiter", &file, "--claim", "1.9.1.1", "--side", "white", "--ply", "2", "--offer", "me"], "not an offer"),
        (
            &["arbiter", &file, "--claim", "1.9.1.1", "--side", "white", "--ply", "2", "--offer", "white@-1"],
            "not an offer",
        ),
        (
            &[
                "arbiter",
                &file,
                "--game",
                "1",
                "--claim",
                "1.9.1.1",
                "--side",
                "white",
                "--ply",
                "2",
                "--offer",
                "white@999",
            ],
            "game 1: an offer of White is made after ply 999, but the record has 30 plies",
        ),
        (&["arbiter", &file, "--claim", "1.9.1.7", "--side", "white", "--ply", "-1"], "invalid value '-1' for '--ply"),
        (&["arbiter", &file, "--game", "0"], "there is no game 0"),
        (&["arbiter", &file, "--side", "white", "--flag", "fell-before"], "go with --claim or --adjudicate"),
        (&["arbiter", &file, "--adjudicate", "--side", "white"], "only with --flag"),
        (&["arbiter", &file, "--adjudicate", "--every-ply"], "cannot be used with"),
        (
            &["arbiter", &file, "--adjudicate", "--side", "white", "--flag", "fell-during-check"],
            "fell-during-check is for a claim",
        ),
    ] {
        let (code, message) = failure(Path::new(NO_TABLES), args);
        assert_eq!(code, 2, "{args:?}: {message}");
        assert!(message.contains(part), "{args:?}: {message}");
    }
}
