//! A printable page for one game: one file, nothing loaded from elsewhere.

use std::collections::BTreeMap;

use bolshak_rules::Article;
use maud::{DOCTYPE, Markup, PreEscaped, html as markup};

use super::diagram::diagram;
use super::text::{
    counter_names, gave_away_texts, left_text, readings_title, result_name, review_text, table_value_text,
};
use super::timeline::timeline;
use super::{cited, proof, title, value_name};
use crate::Language;
use crate::pdn::Record;
use crate::verdict::{Finding, PlyFacts, Verdict};

const STYLE: &str = include_str!("report.css");

/// The report on a game as an HTML page. The verdict should hold every ply ([`crate::Detail::EveryPly`]): without it
/// there is neither timeline nor diagram.
pub fn html(record: &Record, verdict: &Verdict, language: Language) -> String {
    let plies = verdict.timeline.as_deref().unwrap_or_default();
    let title = title(record, verdict.game, language);
    markup! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                (head(record, verdict, language))
                (summary(verdict, language))
                @if !plies.is_empty() {
                    (timelines(verdict, plies, language))
                    (diagrams(record, verdict, plies, language))
                }
                (proofs(verdict, language))
                @if !verdict.disagreements.is_empty() {
                    h2 { (language.pick("Where the rule sets disagree", "Где наборы правил расходятся")) }
                    ul { @for differ in &verdict.disagreements { li { (differ.explanation(language)) } } }
                }
                @if !verdict.readings.is_empty() {
                    h2 { (capitalized(readings_title(language))) }
                    ul { @for reading in &verdict.readings { li { b { (reading.article) } ": " (reading.text(language)) } } }
                }
                @if !plies.is_empty() { (moves(verdict, plies, language)) }
            }
        }
    }
    .into_string()
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn head(record: &Record, verdict: &Verdict, language: Language) -> Markup {
    markup! {
        p class="head" {
            @for name in ["Event", "Site", "Date", "Round"] {
                @if let Some(value) = record.tag(name) { span { (value) } }
            }
            span {
                (language.pick("recorded result", "записанный результат")) ": "
                b { (result_name(verdict.result, language)) }
            }
            span { (language.pick("plies", "полуходов")) ": " (verdict.plies) }
        }
        @if !verdict.warnings.is_empty() {
            ul class="warnings" { @for warning in &verdict.warnings { li { (warning.message(language)) } } }
        }
        @if let Some(error) = &verdict.error { p class="error" { (error.message(language)) } }
    }
}

/// Articles down, rule sets across: the ply after which each was first met.
fn summary(verdict: &Verdict, language: Language) -> Markup {
    let articles =
        [Article::ThreeKings, Article::UnchangedRatio, Article::MainRoad, Article::KingsOnly, Article::Repetition];
    markup! {
        h2 { (language.pick("First met after ply", "Впервые выполнено после полухода")) }
        table class="summary" {
            thead { tr { th {} @for (set, _) in verdict.rules.iter() { th { (set) } } } }
            tbody {
                @for article in articles {
                    tr {
                        th { (article) }
                        @for (set, met) in verdict.rules.iter() {
                            @let met = met.iter().find(|met| met.article == article);
                            td class=(if met.is_some() { "met" } else { "" }) {
                                @if let Some(met) = met { (met.first_met_ply) } @else { (unmet(verdict, set, article)) }
                            }
                        }
                    }
                }
                tr {
                    th { (language.pick("the result", "результат")) }
                    @for (_, fit) in verdict.fits.iter() { td class="fit" { (fit.text(language)) } }
                }
                tr {
                    th { (language.pick("value at the end", "оценка в конце")) }
                    @for (_, value) in verdict.final_values.iter() {
                        td class="fit" { (table_value_text(value, language)) }
                    }
                }
            }
        }
    }
}

/// `?` where it takes a table that is not there, else a dash.
fn unmet(verdict: &Verdict, set: &str, article: Article) -> &'static str {
    let finding = verdict
        .disagreements
        .iter()
        .find(|differ| differ.article == article)
        .and_then(|differ| differ.findings.get(set));
    if matches!(finding, Some(Finding::NeedsTable(_))) { "?" } else { "–" }
}

fn timelines(verdict: &Verdict, plies: &[PlyFacts], language: Language) -> Markup {
    markup! {
        h2 { (language.pick("Counters by ply", "Счётчики по полуходам")) }
        @if let Some((set, met)) = verdict.rules.iter().next() {
            p { (language.pick("Marks", "Отметки")) ": " (set) }
            (timeline(plies, set, met, language))
        }
    }
}

/// Diagrams of the plies that matter: the beginning, where an article was first met or a value given away, the end.
fn diagrams(record: &Record, verdict: &Verdict, plies: &[PlyFacts], language: Language) -> Markup {
    let mut captions: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    captions.entry(0).or_default().push(language.pick("beginning", "начало").to_owned());
    for (set, met) in verdict.rules.iter() {
        for met in met {
            captions.entry(met.first_met_ply).or_default().push(format!("{} ({set})", met.article));
        }
    }
    for facts in plies {
        let given = gave_away_texts(facts, language);
        if !given.is_empty() {
            captions.entry(facts.ply).or_default().extend(given);
        }
    }
    captions.entry(plies.len() - 1).or_default().push(language.pick("end", "конец").to_owned());
    let positions = record.positions();
    markup! {
        h2 { (language.pick("Positions", "Позиции")) }
        div class="diagrams" {
            @for (&ply, captions) in &captions {
                @if let Some(position) = positions.get(ply) {
                    figure {
                        (diagram(position, ply.checked_sub(1).and_then(|at| record.moves.get(at)).map(|played| &played.mv)))
                        figcaption {
                            b { (ply) ". " (plies[ply].move_text.as_deref().unwrap_or_default()) }
                            @for caption in captions { br; (caption) }
                        }
                    }
                }
            }
        }
    }
}

fn proofs(verdict: &Verdict, language: Language) -> Markup {
    markup! {
        h2 { (language.pick("Proofs", "Доказательства")) }
        @for (set, met) in verdict.rules.iter() {
            h3 { (set) }
            ul {
                @for met in met {
                    li {
                        b { (cited(met.article, met.cites, language)) } ", "
                        (language.pick("after ply", "после полухода")) " " (met.first_met_ply) ": "
                        (proof(met, language))
                    }
                }
                @for review in verdict.road_reviews.get(set).into_iter().flatten() {
                    li { (review_text(review, language)) }
                }
                @if met.is_empty() { li { (language.pick("nothing was met", "ничего не выполнено")) } }
            }
        }
    }
}

/// Every ply with its counters, and the value under the first rule set.
fn moves(verdict: &Verdict, plies: &[PlyFacts], language: Language) -> Markup {
    let set = verdict.rules.iter().next().map_or("", |(set, _)| set);
    markup! {
        h2 { (language.pick("Ply by ply", "По полуходам")) " (" (set) ")" }
        table class="plies" {
            thead {
                tr {
                    @for name in language.pick(["ply", "move"], ["полуход", "ход"]) { th { (name) } }
                    @for name in counter_names(language) { th { (name) } }
                    @for name in language.pick(["times", "left", "value (plies)"], ["раз", "осталось", "оценка (полуходы)"]) { th { (name) } }
                }
            }
            tbody {
                @for facts in plies {
                    @let facts_of_set = facts.sets.get(set);
                    tr {
                        td { (facts.ply) }
                        td { (facts.move_text.as_deref().unwrap_or_default()) }
                        td { (facts.ratio_plies) }
                        td { (facts.kings_plies) }
                        td { (facts_of_set.map_or(0, |facts| facts.road_moves)) }
                        td { (facts.occurrence) }
                        td { (facts_of_set.map_or(String::new(), |facts| left_text(facts, language))) }
                        td {
                            @match facts_of_set.and_then(|facts| facts.value) {
                                Some(value) => (value_name(value, language)),
                                None => (language.pick("unknown", "неизвестно")),
                            }
                            @if let Some(distance) = facts_of_set.and_then(|facts| facts.distance_plies) { " (" (distance) ")" }
                            @for gave_away in gave_away_texts(facts, language) { " " b { (gave_away) } }
                        }
                    }
                }
            }
        }
    }
}
