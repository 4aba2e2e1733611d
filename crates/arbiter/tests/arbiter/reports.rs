//! Verdicts for people, in both languages.

use bolshak_arbiter::{Arbiter, Claim, Detail, Language, report};
use bolshak_rules::{Article, Color, Variant};

use crate::common::{games, read};

#[test]
fn the_text_names_article_ply_count_and_moves() {
    let record = &games("1.9.1.3.pdn")[0];
    let verdict = Arbiter::new(Variant::Russian).verify(1, record, Detail::Summary);
    let english = verdict.to_text(record, Language::English);
    for part in [
        "29 plies, result: draw",
        "1.9.1.3 after ply 29: 15 own moves of White, plies 1–29: 1. b8-a7  3. a7-b8",
        "1.9.1.7 after ply 8: 3 occurrences of W:WKh4,Ka5,Kb8:BKc1, after plies 0, 4, 8",
        "1.9.1.7 (its 19) after ply 11: 3 equal blocks of moves of White, plies 1–11, each: 1. b8-a7  3. a7-b8",
        "drawn by 1.9.1.3 after ply 29; the recorded result fits",
        "1.9.1.3: official, official-won-position, classic: first met after ply 29 (15 own moves of the stronger side since \
         the force ratio arose); fmjd64: not met (30 plies since the force ratio arose, whoever moved first).",
    ] {
        assert!(english.contains(part), "{part}\nin\n{english}");
    }
    let russian = verdict.to_text(record, Language::Russian);
    for part in [
        "29 полуходов, результат: ничья",
        "1.9.1.3 после полухода 29: 15 собственных ходов белых, полуходы 1–29",
        "ничья по 1.9.1.3 после полухода 29; записанный результат верен",
    ] {
        assert!(russian.contains(part), "{part}\nin\n{russian}");
    }
}

#[test]
fn decisions_are_told_step_by_step() {
    let arbiter = Arbiter::new(Variant::Russian);
    let record = &games("1.9.1.7.pdn")[0];
    let verdicts = arbiter.claim(record, &Claim::new(Article::Repetition, Color::White, 4)).unwrap();
    let english = verdicts.to_text(Language::English);
    assert!(english.starts_with("official: refused; the game goes on\n  [1.9.2] the record goes on"), "{english}");
    assert!(english.contains("[1.9.2, a reading] the claim is refused: no move was written"), "{english}");
    let russian = verdicts.to_text(Language::Russian);
    assert!(russian.contains("[1.9.2, толкование] требование отклонено"), "{russian}");
    let adjudication = arbiter.adjudicate(record, Some(Color::Black)).unwrap().to_text(Language::Russian);
    assert!(adjudication.contains("решает флаг: выигрыш белых (1.8.1)"), "{adjudication}");
    assert!(adjudication.contains("1.9.1.6: осталось 22 полухода"), "{adjudication}");
}

#[test]
fn the_page_stands_alone_and_escapes_what_the_record_says() {
    let record = &read(b"[White \"<script>\"]\n[FEN \"W:WKa1:BKh2\"]\n1. a1-b2 h2-g1 2. b2-a1 g1-h2 *")[0];
    let verdict = Arbiter::new(Variant::Russian).verify(1, record, Detail::EveryPly);
    for language in Language::ALL {
        let page = report::html(record, &verdict, language);
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("&lt;script&gt;") && !page.contains("<script"));
        assert!(!page.contains("http"), "nothing is loaded from elsewhere");
        assert_eq!(page.matches("class=\"board\"").count(), 2, "the beginning and the end");
        assert_eq!(page.matches("<polyline").count(), 3);
        assert!(page.contains(&format!("lang=\"{}\"", language.code())));
    }
    let summary = Arbiter::new(Variant::Russian).verify(1, record, Detail::Summary);
    assert!(!report::html(record, &summary, Language::English).contains("<svg"));
    let unreadable = &read(b"[FEN \"x\"]\n1. a1-b2 *")[0];
    let verdict = Arbiter::new(Variant::Russian).verify(1, unreadable, Detail::EveryPly);
    assert!(report::html(unreadable, &verdict, Language::Russian).contains("начальная позиция невозможна"));
}
