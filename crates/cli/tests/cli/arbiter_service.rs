//! The arbiter of the running service and the command say the same of the games in `data/games`, field for field.
//!
//! The messages are turned into JSON here by hand and without `..`: a field that is added to one side only does not
//! compile or does not compare.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::OnceLock;

use bolshak_proto::v1;
use bolshak_proto::v1::arbiter_service_client::ArbiterServiceClient;
use serde_json::{Value, json};
use tempfile::TempDir;
use tonic::transport::Channel;

use crate::serve::{Service, start};
use crate::{bolshak_with, lines};

const GAMES: [(&str, &str); 7] = [
    ("1.9.1.3", include_str!("../../../../data/games/1.9.1.3.pdn")),
    ("1.9.1.4", include_str!("../../../../data/games/1.9.1.4.pdn")),
    ("1.9.1.5", include_str!("../../../../data/games/1.9.1.5.pdn")),
    ("1.9.1.5-won", include_str!("../../../../data/games/1.9.1.5-won.pdn")),
    ("1.9.1.6", include_str!("../../../../data/games/1.9.1.6.pdn")),
    ("1.9.1.7", include_str!("../../../../data/games/1.9.1.7.pdn")),
    ("classic", include_str!("../../../../data/games/classic.pdn")),
];

/// Records that break off, in an old encoding, with odd things to warn of.
const ODD: &[u8] = b"[White \"\xc0\"]\n[Result \"1-0\"]\n1. c3-d4 b6-a5 2. d4-d5 *\n\n\
    [FEN \"W:Wa2:Bb8\"]\n1. a1-b2 *\n\n[SetUp \"1\"]\n1. \xf13-d4 d6-c5 2. b2-c3 f6-g5 3. c3-b4 *\n\n\
    [Result \"0-1\"]\n1. c3 *\n";

/// Tables of the three pieces against a king that the won-position reading asks about, among others; made once.
fn tables() -> &'static Path {
    static DIRECTORY: OnceLock<TempDir> = OnceLock::new();
    let make = || {
        let directory = tempfile::tempdir().unwrap();
        for rules in ["official", "official-won-position"] {
            lines(directory.path(), &["generate", "--slices", "KmmvK,mmmvK", "--rules", rules]);
        }
        directory
    };
    DIRECTORY.get_or_init(make).path()
}

/// What the command says of the games of a text.
fn told(tables: &Path, pdn: &[u8], args: &[&str]) -> Vec<Value> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(pdn).unwrap();
    let args = [&["arbiter", file.path().to_str().unwrap(), "--format", "json"], args].concat();
    lines(tables, &args).iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The name of an enum's value in JSON: `GAME_RESULT_WIN_WHITE` is `win-white`, and what is not given is null.
fn name(full: &str, prefix: &str) -> Value {
    match full.strip_prefix(prefix).unwrap() {
        "UNSPECIFIED" => Value::Null,
        rest => rest.to_lowercase().replace('_', "-").into(),
    }
}

fn color(color: i32) -> Value {
    name(v1::Color::try_from(color).unwrap().as_str_name(), "COLOR_")
}

fn value(value: i32) -> Value {
    name(v1::Value::try_from(value).unwrap().as_str_name(), "VALUE_")
}

fn unit(unit: i32) -> Value {
    name(v1::CountUnit::try_from(unit).unwrap().as_str_name(), "COUNT_UNIT_")
}

fn some(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

/// An object without the fields that are null and are left out then.
fn without_nulls(mut object: Value, optional: &[&str]) -> Value {
    object.as_object_mut().unwrap().retain(|name, value| !(optional.contains(&name.as_str()) && value.is_null()));
    object
}

fn list<T>(items: Vec<T>, to_json: impl FnMut(T) -> Value) -> Value {
    items.into_iter().map(to_json).collect()
}

fn verdict(verdict: v1::Verdict) -> Value {
    let v1::Verdict { game, plies, final_fen, result, warnings, error, rule_sets, disagreements, timeline, readings } =
        verdict;
    let [mut rules, mut road_reviews, mut fits, mut final_values] = [(); 4].map(|()| BTreeMap::new());
    for v1::RuleSetVerdict { rule_set, met, road_reviews: reviews, fit, final_value } in rule_sets {
        rules.insert(rule_set.clone(), list(met, self::met));
        if !reviews.is_empty() {
            road_reviews.insert(rule_set.clone(), list(reviews, review));
        }
        let v1::Fit { fits: fitting, text } = fit.unwrap();
        let fitting = name(v1::Fits::try_from(fitting).unwrap().as_str_name(), "FITS_");
        fits.insert(rule_set.clone(), json!({"fits": fitting, "text": text}));
        final_values.extend(final_value.map(|value| (rule_set, table_value(value))));
    }
    let object = json!({
        "game": game,
        "plies": plies,
        "final_fen": final_fen,
        "result": name(v1::GameResult::try_from(result).unwrap().as_str_name(), "GAME_RESULT_"),
        "warnings": warnings,
        "error": error.map(record_error),
        "rules": rules,
        "road_reviews": road_reviews,
        "disagreements": list(disagreements, disagreement),
        "readings": list(readings, |v1::Reading { article, text }| json!({"article": article, "text": text})),
        "fits": fits,
        "final_values": final_values,
        "timeline": (!timeline.is_empty()).then(|| list(timeline, ply_facts)),
    });
    without_nulls(object, &["timeline"])
}

fn record_error(error: v1::RecordError) -> Value {
    let v1::RecordError { ply, message, text, candidates, legal } = error;
    let (candidates, legal) = (Some(candidates), Some(legal));
    let full = |list: Option<Vec<String>>| list.filter(|list| !list.is_empty());
    let object = json!({
        "ply": ply, "message": message, "text": some(text), "candidates": full(candidates), "legal": full(legal),
    });
    without_nulls(object, &["text", "candidates", "legal"])
}

fn met(met: v1::Met) -> Value {
    let v1::Met { article, first_met_ply, cites, count, proof, later_plies } = met;
    let v1::Count { reached, unit: counted } = count.unwrap();
    let object = json!({
        "article": article,
        "first_met_ply": first_met_ply,
        "cites": some(cites),
        "count": {"reached": reached, "unit": unit(counted)},
        "proof": self::proof(proof.unwrap()),
        "later_plies": later_plies,
    });
    without_nulls(object, &["cites"])
}

fn proof(proof: v1::Proof) -> Value {
    let moves = |moves| list(moves, |v1::NumberedMove { ply, r#move }| json!({"ply": ply, "move": r#move}));
    match proof.by.unwrap() {
        v1::proof::By::Range(v1::RangeProof { from_ply, to_ply, side, moves: made }) => json!({
            "by": "range", "from_ply": from_ply, "to_ply": to_ply, "side": color(side), "moves": moves(made),
        }),
        v1::proof::By::Occurrences(v1::OccurrencesProof { plies, fen }) => {
            json!({"by": "occurrences", "plies": plies, "fen": fen})
        }
        v1::proof::By::Blocks(v1::BlocksProof { side, from_ply, to_ply, block }) => json!({
            "by": "blocks", "side": color(side), "from_ply": from_ply, "to_ply": to_ply, "block": moves(block),
        }),
    }
}

fn review(review: v1::RoadReview) -> Value {
    let v1::RoadReview { ply, finding, value: worth, distance_plies, reason, winner } = review;
    let finding = v1::road_review::Finding::try_from(finding).unwrap();
    let object = json!({
        "ply": ply,
        "finding": name(finding.as_str_name(), "FINDING_"),
        "value": value(worth),
        "distance_plies": distance_plies,
        "reason": some(reason),
        "winner": color(winner),
    });
    without_nulls(object, &["reason", "winner"])
}

fn table_value(known: v1::TableValue) -> Value {
    let v1::TableValue { value: worth, distance_plies, unknown } = known;
    json!({"value": value(worth), "distance_plies": distance_plies, "unknown": some(unknown)})
}

fn disagreement(differ: v1::Disagreement) -> Value {
    let v1::Disagreement { article, findings, explanation } = differ;
    let findings: BTreeMap<String, Value> = findings
        .into_iter()
        .map(|v1::Finding { rule_set, kind, ply }| {
            let kind = name(v1::finding::Kind::try_from(kind).unwrap().as_str_name(), "KIND_");
            (rule_set, without_nulls(json!({"finding": kind, "ply": ply}), &["ply"]))
        })
        .collect();
    json!({"article": article, "findings": findings, "explanation": explanation})
}

fn ply_facts(facts: v1::PlyFacts) -> Value {
    let v1::PlyFacts { ply, r#move, fen, occurrence, ratio_plies, kings_plies, rule_sets } = facts;
    let sets: BTreeMap<String, Value> = rule_sets
        .into_iter()
        .map(|v1::SetFacts { rule_set, road_moves, left, value, gave_away, road_review }| {
            let mut facts = without_nulls(table_value(value.unwrap()), &["unknown"]);
            facts["road_moves"] = road_moves.into();
            facts["left"] = list(left, count_left);
            facts["gave_away"] = name(v1::GaveAway::try_from(gave_away).unwrap().as_str_name(), "GAVE_AWAY_");
            facts["road_review"] = road_review.map(review).into();
            (rule_set, without_nulls(facts, &["road_review"]))
        })
        .collect();
    json!({
        "ply": ply,
        "move": some(r#move),
        "fen": fen,
        "occurrence": occurrence,
        "ratio_plies": ratio_plies,
        "kings_plies": kings_plies,
        "sets": sets,
    })
}

fn count_left(count: v1::CountLeft) -> Value {
    let v1::CountLeft { article, left, unit: counted } = count;
    json!({"article": article, "left": left, "unit": unit(counted)})
}

fn steps(steps: Vec<v1::Step>) -> Value {
    list(steps, |v1::Step { cite, reading, text }| json!({"cite": cite, "reading": reading, "text": text}))
}

fn best_line(line: v1::BestLine) -> Value {
    let v1::BestLine { moves, final_fen, over_by } = line;
    json!({"moves": moves, "final_fen": final_fen, "over_by": some(over_by)})
}

fn claim_verdict(verdict: v1::ClaimVerdict) -> (String, Value) {
    let v1::ClaimVerdict { rule_set, decision, game, steps: taken, proof, line, holding_moves } = verdict;
    let v1::Consequence { state, article, winner } = game.unwrap();
    let by = some(article).map_or_else(|| color(winner), Value::from);
    let state = name(v1::consequence::State::try_from(state).unwrap().as_str_name(), "STATE_");
    let object = json!({
        "verdict": name(v1::Decision::try_from(decision).unwrap().as_str_name(), "DECISION_"),
        "game": without_nulls(json!({"state": state, "by": by}), &["by"]),
        "steps": steps(taken),
        "proof": proof.map(self::proof),
        "line": line.map(best_line),
        "holding_moves": Some(holding_moves).filter(|moves| !moves.is_empty()),
    });
    (rule_set, without_nulls(object, &["proof", "line", "holding_moves"]))
}

fn adjudication(worth: v1::Adjudication) -> (String, Value) {
    let v1::Adjudication {
        rule_set,
        fen,
        to_move,
        value,
        ended,
        won_by_flag,
        left,
        occurrence,
        repeating_moves,
        win_needs,
        facts,
        road_reviews,
        error,
    } = worth;
    let ended = ended.map(|v1::Ended { by, ply, winner }| json!({"by": by, "ply": ply, "winner": color(winner)}));
    let win_needs = win_needs.map(|v1::WinNeeds { side, plies_to_conversion, within_the_counts, line }| {
        json!({
            "side": color(side),
            "plies_to_conversion": plies_to_conversion,
            "within_the_counts": within_the_counts,
            "line": line.map(best_line),
        })
    });
    let object = json!({
        "fen": fen,
        "to_move": color(to_move),
        "value": table_value(value.unwrap()),
        "ended": ended,
        "won_by_flag": color(won_by_flag),
        "left": list(left, count_left),
        "occurrence": occurrence,
        "repeating_moves": repeating_moves,
        "win_needs": win_needs,
        "facts": steps(facts),
        "error": error.map(record_error),
        "road_reviews": Some(list(road_reviews, review)).filter(|reviews| !reviews.as_array().unwrap().is_empty()),
    });
    (rule_set, without_nulls(object, &["win_needs", "road_reviews", "error"]))
}

async fn client(service: &Service) -> ArbiterServiceClient<Channel> {
    ArbiterServiceClient::connect(service.address.clone()).await.unwrap()
}

/// The answer to a question by HTTP.
fn post(service: &Service, path: &str, question: &Value) -> Value {
    let address = service.address.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let body = question.to_string();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
    serde_json::from_str(body).unwrap()
}

#[tokio::test]
async fn verdicts_are_the_same() {
    let tables = tables();
    let service = start(tables, &[]);
    let mut client = client(&service).await;
    let mut unknown = 0;
    for (file, pdn) in GAMES {
        let games = told(tables, pdn.as_bytes(), &["--every-ply"]);
        for (number, expected) in (1..).zip(&games) {
            let request =
                v1::VerifyGameRequest { pdn: pdn.into(), game: number, every_ply: true, ..Default::default() };
            let answer = client.verify_game(request).await.unwrap().into_inner();
            assert_eq!(answer.games as usize, games.len());
            assert_eq!(&verdict(answer.verdict.unwrap()), expected, "{file}, game {number}");
            assert!(answer.tags.iter().any(|tag| tag.name == "FEN"), "{file}: {:?}", answer.tags);
            unknown += usize::from(expected.to_string().contains("not in these tables"));

            let mut twin =
                post(&service, "/v1/arbiter/verify", &json!({"pdn": pdn, "game": number, "every_ply": true}));
            let object = twin.as_object_mut().unwrap();
            assert_eq!(object.remove("games").unwrap(), answer.games);
            assert_eq!(object.remove("tags").unwrap().as_array().unwrap().len(), answer.tags.len());
            assert_eq!(&twin, expected, "{file}, game {number}");
        }
    }
    assert!(unknown > 0, "some values should lie beyond the tables");
    let won = told(tables, GAMES[3].1.as_bytes(), &[]);
    assert_eq!(won[0]["road_reviews"]["official-won-position"][0]["winner"], "white");
}

#[tokio::test]
async fn a_file_in_pieces_is_judged_as_a_whole() {
    let tables = tables();
    let service = start(tables, &[]);
    let mut client = client(&service).await;
    let file = [ODD, &b"\n"[..], GAMES[4].1.as_bytes(), b"\n", GAMES[5].1.as_bytes()].concat();
    let expected = told(tables, &file, &["--rules", "fmjd64,official"]);
    assert!(expected.len() > 8 && expected[0]["error"]["ply"] == 3, "{expected:?}");
    for length in [1, 7, 1000, file.len()] {
        let mut pieces: Vec<v1::VerifyGamesRequest> = file
            .chunks(length)
            .map(|piece| v1::VerifyGamesRequest { pdn: piece.to_vec(), ..Default::default() })
            .collect();
        let rule_sets = ["fmjd64", "official"].map(str::to_owned).to_vec();
        pieces[0].terms = Some(v1::ArbiterTerms { rule_sets, ..Default::default() });
        let mut answers = client.verify_games(tokio_stream::iter(pieces)).await.unwrap().into_inner();
        let mut verdicts = Vec::new();
        while let Some(answer) = answers.message().await.unwrap() {
            verdicts.push(verdict(answer.verdict.unwrap()));
        }
        assert_eq!(verdicts, expected, "pieces of {length} bytes");
    }
}

#[tokio::test]
async fn claims_are_decided_the_same() {
    let empty = tempfile::tempdir().unwrap();
    let (rich, poor) = (start(tables(), &[]), start(empty.path(), &["--make-pieces", "0"]));
    let mut seen = std::collections::BTreeSet::new();
    let claim = |article: &str, side: v1::Color, ply| v1::Claim {
        article: article.to_owned(),
        side: side.into(),
        ply,
        ..Default::default()
    };
    let (white, black) = (v1::Color::White, v1::Color::Black);
    let intended = v1::Claim { intended: "h4-e1".to_owned(), ..claim("1.9.1.7", black, 7) };
    let no_record = v1::Claim { no_record: true, ..claim("1.9.1.7", white, 8) };
    let late = v1::Claim { flag: v1::Flag::FellDuringCheck.into(), ..claim("1.9.1.7", white, 6) };
    let offer = v1::Offer {
        side: white.into(),
        ply: 3,
        clock_started: true,
        answer: v1::offer::Answer::Accepted.into(),
        ..Default::default()
    };
    let agreed = v1::Claim { offers: vec![offer], ..claim("1.9.1.1", black, 3) };
    for (tables, service, at, number, claim, args) in [
        (tables(), &rich, 4, 1, claim("1.9.1.7", white, 8), &[][..]),
        (tables(), &rich, 4, 1, intended, &["--intended", "h4-e1"]),
        (tables(), &rich, 4, 1, no_record, &["--no-record"]),
        (tables(), &rich, 4, 1, late, &["--flag", "fell-during-check"]),
        (tables(), &rich, 4, 1, agreed, &["--offer", "white@3,clock-started,accepted"]),
        (tables(), &rich, 4, 1, claim("1.9.1.6", black, 30), &[]),
        (tables(), &rich, 3, 1, claim("1.9.1.5", black, 9), &[]),
        (tables(), &rich, 3, 2, claim("1.9.1.5", white, 9), &[]),
        (tables(), &rich, 3, 1, claim("1.9.1.2", white, 9), &[]),
        (tables(), &rich, 2, 1, claim("1.9.1.5", black, 9), &[]),
        (empty.path(), &poor, 3, 1, claim("1.9.1.5", black, 9), &[]),
    ] {
        let mut client = client(service).await;
        let side = if claim.side == white as i32 { "white" } else { "black" };
        let (ply, game) = (claim.ply.to_string(), number.to_string());
        let named = ["--claim", &claim.article, "--side", side, "--ply", &ply, "--game", &game];
        let pdn = GAMES[at].1;
        let expected = told(tables, pdn.as_bytes(), &[&named, args].concat()).remove(0);
        let flag = ["up", "up", "fell-before", "fell-during-check"][claim.flag as usize];
        let offers: Vec<Value> = claim
            .offers
            .iter()
            .map(|offer| {
                let answer = ["", "accepted", "declined"][offer.answer as usize];
                json!({
                    "side": color(offer.side),
                    "ply": offer.ply,
                    "clock_started": offer.clock_started,
                    "conditional": offer.conditional,
                    "answer": some(answer.to_owned()),
                })
            })
            .collect();
        let question = json!({
            "pdn": pdn,
            "game": number,
            "claim": {
                "article": claim.article,
                "side": side,
                "ply": claim.ply,
                "intended": some(claim.intended.clone()),
                "no_record": claim.no_record,
                "flag": flag,
                "offers": offers,
            },
        });
        assert_eq!(post(service, "/v1/arbiter/claim", &question), expected, "{named:?}");
        let request =
            v1::VerifyClaimRequest { pdn: pdn.into(), game: number, claim: Some(claim.clone()), ..Default::default() };
        let answer = client.verify_claim(request).await.unwrap().into_inner();
        let verdicts: BTreeMap<_, _> = answer.rule_sets.into_iter().map(claim_verdict).collect();
        assert_eq!(json!({"game": answer.game, "claim": verdicts}), expected, "{named:?}");
        for verdict in verdicts.values() {
            seen.extend(verdict["verdict"].as_str().map(str::to_owned));
        }
    }
    let decisions: Vec<&str> = seen.iter().map(String::as_str).collect();
    assert_eq!(decisions, ["facts-only", "needs-table", "not-considered", "refused", "upheld"]);
}

#[tokio::test]
async fn unfinished_games_are_worth_the_same() {
    let tables = tables();
    let service = start(tables, &[]);
    let mut client = client(&service).await;
    for (at, number, flag) in [
        (3, 1, None),
        (3, 2, Some(v1::Color::White)),
        (0, 1, None),
        (5, 1, Some(v1::Color::Black)),
        (2, 7, None),
        (GAMES.len(), 1, None),
    ] {
        // The last record breaks off.
        let pdn = GAMES.get(at).map_or("[FEN \"W:WKa1:BKh2\"]\n1. a1-b2 h2-h8 *", |(_, pdn)| pdn);
        let side = flag.map(|side| if side == v1::Color::White { "white" } else { "black" });
        let mut args = vec!["--adjudicate".to_owned(), "--game".to_owned(), number.to_string()];
        if let Some(side) = side {
            args.extend(["--side", side, "--flag", "fell-before"].map(str::to_owned));
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let expected = told(tables, pdn.as_bytes(), &args).remove(0);
        let question = json!({"pdn": pdn, "game": number, "fallen_flag": side});
        assert_eq!(post(&service, "/v1/arbiter/adjudicate", &question), expected, "{args:?}");
        let fallen_flag = flag.unwrap_or_default().into();
        let request = v1::AdjudicateRequest { pdn: pdn.into(), game: number, fallen_flag, ..Default::default() };
        let answer = client.adjudicate(request).await.unwrap().into_inner();
        let worths: BTreeMap<_, _> = answer.rule_sets.into_iter().map(adjudication).collect();
        assert_eq!(json!({"game": answer.game, "adjudication": worths}), expected, "{args:?}");
    }
}

#[tokio::test]
async fn russian_texts_are_those_of_the_command() {
    let tables = tables();
    let service = start(tables, &[]);
    let pdn = GAMES[2].1;
    let answer = post(&service, "/v1/arbiter/verify", &json!({"pdn": pdn, "language": "ru"}));
    let text = bolshak_with(tables, &["arbiter", "-", "--language", "ru", "--game", "1"], pdn);
    let text = String::from_utf8(text.stdout).unwrap();
    let said = [
        &answer["fits"]["fmjd64"]["text"],
        &answer["disagreements"][0]["explanation"],
        &answer["final_values"]["fmjd64"]["unknown"],
    ];
    for sentence in said {
        assert!(text.contains(sentence.as_str().unwrap()), "{sentence} is not in {text}");
    }
    let terms = Some(v1::ArbiterTerms { language: v1::Language::Russian.into(), ..Default::default() });
    let request = v1::VerifyGameRequest { pdn: pdn.into(), terms, ..Default::default() };
    let verdict = client(&service).await.verify_game(request).await.unwrap().into_inner().verdict.unwrap();
    let fit = verdict.rule_sets.iter().find(|set| set.rule_set == "fmjd64").and_then(|set| set.fit.clone());
    assert_eq!(fit.map(|fit| json!(fit.text)).as_ref(), Some(said[0]));
    assert!(said[2].as_str().unwrap().starts_with("нет в таблицах"), "{}", said[2]);
    assert_eq!(&json!(verdict.disagreements[0].explanation), said[1]);
}
