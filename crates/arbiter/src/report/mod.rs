//! Verdicts for people: plain text and a printable page, in English and Russian.

mod diagram;
mod html;
mod text;
mod timeline;

pub use html::html;

use bolshak_rules::Article;
use bolshak_tables::Value;

use crate::Language;
use crate::pdn::Record;
use crate::verdict::{Met, NumberedMove, Proof, amount, side_english, side_genitive};

/// The players, or what the record has in their place.
fn title(record: &Record, game: usize, language: Language) -> String {
    match (record.tag("White"), record.tag("Black")) {
        (None, None) => language.pick(format!("Game {game}"), format!("Партия {game}")),
        (white, black) => format!("{} – {}", white.unwrap_or("?"), black.unwrap_or("?")),
    }
}

/// An article with the numbers that a rule set has for it.
fn cited(article: Article, cites: Option<&str>, language: Language) -> String {
    match cites {
        None => article.number().to_owned(),
        Some(cites) => language.pick(format!("{article} (its {cites})"), format!("{article} (в наборе: {cites})")),
    }
}

/// What was counted and where it can be checked.
fn proof(met: &Met, language: Language) -> String {
    let count = amount(met.count.reached, met.count.unit, language);
    let moves = |moves: &[NumberedMove]| {
        moves.iter().map(|mv| format!("{}. {}", mv.ply, mv.text)).collect::<Vec<_>>().join("  ")
    };
    match &met.proof {
        Proof::Range { from_ply, to_ply, side, moves: made } => {
            let of = side.map_or(String::new(), |side| {
                language.pick(format!(" of {}", side_english(side)), format!(" {}", side_genitive(side)))
            });
            language.pick(
                format!("{count}{of}, plies {from_ply}–{to_ply}: {}", moves(made)),
                format!("{count}{of}, полуходы {from_ply}–{to_ply}: {}", moves(made)),
            )
        }
        Proof::Occurrences { plies, fen } => {
            let plies = plies.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
            language.pick(
                format!("{count} of {fen}, after plies {plies}"),
                format!("{count} позиции {fen}, после полуходов {plies}"),
            )
        }
        Proof::Blocks { side, from_ply, to_ply, block } => language.pick(
            format!("{count} of moves of {}, plies {from_ply}–{to_ply}, each: {}", side_english(*side), moves(block)),
            format!("{count} ходов {}, полуходы {from_ply}–{to_ply}, каждая: {}", side_genitive(*side), moves(block)),
        ),
    }
}

/// A value in words.
fn value_name(value: Value, language: Language) -> &'static str {
    language.pick(
        value.name(),
        match value {
            Value::Win => "выигрыш",
            Value::CursedWin => "выигрыш, но ничья по счёту",
            Value::Draw => "ничья",
            Value::BlessedLoss => "проигрыш, но ничья по счёту",
            Value::Loss => "проигрыш",
        },
    )
}
