//! What every rule set says of the games in `data/games`, one file for each article, in both directions: met, and just
//! missed by one ply.

use crate::common::{games, read};
use bolshak_arbiter::{Arbiter, Detail, Ending, Fits, Verdict};
use bolshak_rules::{Color, Variant};

/// The articles met under one rule set, as `.3@29`, in order of ply.
fn met(verdict: &Verdict, set: &str) -> String {
    let texts: Vec<String> = verdict
        .rules
        .get(set)
        .unwrap()
        .iter()
        .map(|met| format!("{}@{}", met.article.number().trim_start_matches("1.9.1"), met.first_met_ply))
        .collect();
    texts.join(" ")
}

/// Checks a file: for each game what `official`, `fmjd64` and `classic` say. `official-won-position`, here without
/// tables, says what `official` does but for 1.9.1.5, which is unknown.
fn check(file: &str, expected: &[[&str; 3]]) {
    let arbiter = Arbiter::new(Variant::Russian);
    let records = games(file);
    assert_eq!(records.len(), expected.len(), "{file}");
    for (index, (record, [official, fmjd64, classic])) in records.iter().zip(expected).enumerate() {
        let verdict = arbiter.verify(index + 1, record, Detail::Summary);
        let what = format!("{file} {}: {}", index + 1, record.tag("Event").unwrap());
        assert_eq!((&verdict.error, verdict.warnings.as_slice()), (&None, [].as_slice()), "{what}");
        assert_eq!(met(&verdict, "official"), *official, "{what}");
        assert_eq!(met(&verdict, "fmjd64"), *fmjd64, "{what}");
        assert_eq!(met(&verdict, "classic"), *classic, "{what}");
        let no_road: Vec<&str> = official.split(' ').filter(|met| !met.starts_with(".5")).collect();
        assert_eq!(met(&verdict, "official-won-position"), no_road.join(" "), "{what}");
        let reviewed = verdict.road_reviews.get("official-won-position").map_or(0, Vec::len);
        assert_eq!(reviewed > 0, official.contains(".5"), "{what}");
    }
}

#[test]
fn three_kings_1_9_1_3() {
    check(
        "1.9.1.3.pdn",
        &[
            [".7@8 .3@29", ".7@8", ".7@11 .3@29"],
            [".7@8", ".7@8", ".7@11"],
            [".7@8 .3@30 .6@30", ".7@8 .3@30", ".7@11 .3@30"],
            [".7@8", ".7@8", ".7@11"],
            [".7@9 .3@31 .6@31", ".7@9 .3@31", ".7@12 .3@31"],
            [".7@10 .3@31", ".7@10", ".7@11 .3@31"],
        ],
    );
}

#[test]
fn unchanged_ratio_1_9_1_4() {
    check(
        "1.9.1.4.pdn",
        &[
            [".7@8 .4@10", ".7@8 .4@10", ""],
            [".7@8", ".7@8", ""],
            [".4@10", ".4@10", ""],
            [".7@8 .6@51 .4@60", ".7@8 .4@60", ".7@11 .4@60"],
            [".7@8 .6@51", ".7@8", ".7@11"],
            [".7@8 .6@51 .4@119", ".7@8 .4@119", ".7@11"],
            [".7@8 .6@51", ".7@8", ".7@11"],
            [".7@8 .6@30 .4@120", ".7@8 .4@120", ".7@11 .4@60"],
            [".7@8 .6@30", ".7@8", ".7@11 .4@60"],
            [".7@8 .6@30", ".7@8 .6@30", ".7@11 .4@60"],
        ],
    );
}

#[test]
fn main_road_1_9_1_5() {
    check(
        "1.9.1.5.pdn",
        &[
            [".7@8 .5@9", ".7@8 .5@9", ""],
            [".7@8", ".7@8", ""],
            [".7@8 .5@10", ".7@8 .5@10", ""],
            [".5@13", ".5@13", ".7@11"],
            [".7@12 .5@19", ".7@12 .5@19", ".7@11"],
            [".7@12", ".7@12", ".7@11"],
            ["", "", ""],
            [".7@8 .5@19", ".7@8 .5@19", ".7@12"],
            [".5@9", "", ""],
            [".7@8 .5@9", ".7@8", ""],
        ],
    );
}

#[test]
fn kings_only_1_9_1_6() {
    check(
        "1.9.1.6.pdn",
        &[
            [".7@8 .6@30", ".7@8 .6@30", ".7@11"],
            [".7@8", ".7@8", ".7@11"],
            [".7@8 .6@40", ".7@8 .6@40", ".7@11"],
            [".7@8 .6@30", ".7@8", ".7@11"],
            [".7@8", ".7@8", ".7@11"],
        ],
    );
}

#[test]
fn repetition_1_9_1_7() {
    check("1.9.1.7.pdn", &[[".7@8", ".7@8", ""], ["", "", ""], ["", "", ".7@12"], [".7@24", ".7@24", ".7@12"]]);
}

#[test]
fn what_only_the_older_code_has() {
    check(
        "classic.pdn",
        &[
            [".7@8 .4@10 .6@30", ".7@8 .4@10", ".7@11 .4@60"],
            [".7@8 .4@10 .6@30", ".7@8 .4@10", ".7@11"],
            [".7@8 .4@10", ".7@8 .4@10", ".7@11"],
            [".7@8 .4@10", ".7@8 .4@10", ""],
            ["", "", ".7@17"],
            [".7@9 .4@11", ".7@9 .4@11", ".7@11"],
        ],
    );
}

#[test]
fn giveaway_does_without_1_9_1_3_and_1_9_1_5_and_is_won_by_having_no_move() {
    let giveaway = Arbiter::new(Variant::Giveaway);
    for (file, official) in [("1.9.1.3.pdn", ".7@8"), ("1.9.1.5.pdn", ".7@8"), ("1.9.1.6.pdn", ".7@8 .6@30")] {
        assert_eq!(met(&giveaway.verify(1, &games(file)[0], Detail::Summary), "official"), official, "{file}");
    }
    let record = &read(b"[FEN \"W:WKa1:Bb2\"]\n1. a1:c3 0-2")[0];
    let ending = |variant| {
        let fit = *Arbiter::new(variant).verify(1, record, Detail::Summary).fits.get("official").unwrap();
        (fit.ending, fit.fits())
    };
    assert_eq!(ending(Variant::Giveaway), (Ending::NoMove { winner: Color::Black }, Fits::Yes));
    assert_eq!(ending(Variant::Russian), (Ending::NoMove { winner: Color::White }, Fits::No));
}

#[test]
fn a_win_on_the_very_move_that_completes_a_count_stands() {
    // White's 15th own move takes the last king: no draw, by any count.
    let shuffle = "b8-a7 c1-a3 a7-b8 a3-c1 ".repeat(6) + "b8-a7 c1-a3 a7-b8 a3-e7 ";
    let record = &read(format!("[FEN \"W:WKa5,Kh4,Kb8:BKc1\"]\n{shuffle} h4:d8 2-0").as_bytes())[0];
    assert_eq!((record.plies(), &record.error), (29, &None));
    let verdict = Arbiter::new(Variant::Russian).verify(1, record, Detail::Summary);
    assert_eq!(met(&verdict, "official"), ".7@8");
    assert_eq!(verdict.fits.get("official").unwrap().fits(), Fits::Yes);
    // Let go by, it is too late.
    let record =
        &read(format!("[FEN \"W:WKa5,Kh4,Kb8:BKc1\"]\n{} b8-a7 1-1", "b8-a7 c1-a3 a7-b8 a3-c1 ".repeat(7)).as_bytes())
            [0];
    assert_eq!(met(&Arbiter::new(Variant::Russian).verify(1, record, Detail::Summary), "official"), ".7@8 .3@29");
}
