//! Verdicts as plain text.

use std::fmt::Write as _;

use super::{cited, proof, title, value_name};
use crate::adjudicate::{Adjudication, TableValue};
use crate::claim::{ClaimVerdict, Consequence, Decision, Step};
use crate::line::Line;
use crate::pdn::Record;
use crate::verdict::{
    GaveAway, PlyFacts, RoadFinding, RoadReview, SetFacts, Unit, Verdict, amount, side_english, side_genitive,
};
use crate::{BySet, GameResult, Language};

/// Adds a line. Writing to a string cannot fail.
macro_rules! line {
    ($text:expr, $($arguments:tt)*) => { let _ = writeln!($text, $($arguments)*); };
}

impl Verdict {
    /// The verdict for a person: what was met under each rule set, with the proof, and how the result fits.
    pub fn to_text(&self, record: &Record, language: Language) -> String {
        let mut text = String::new();
        line!(text, "{}", title(record, self.game, language));
        let result = language.pick("result", "результат");
        let plies = amount(u32::try_from(self.plies).unwrap_or(u32::MAX), Unit::Plies, language);
        line!(text, "  {plies}, {result}: {}", result_name(self.result, language));
        for warning in &self.warnings {
            line!(text, "  {}: {}", language.pick("warning", "замечание"), warning.message(language));
        }
        if let Some(error) = &self.error {
            line!(text, "  {}: {}", language.pick("error", "ошибка"), error.message(language));
        }
        for (set, met) in self.rules.iter() {
            line!(text, "  {set}:");
            for met in met {
                let after = language.pick("after ply", "после полухода");
                let article = cited(met.article, met.cites, language);
                line!(text, "    {article} {after} {}: {}", met.first_met_ply, proof(met, language));
            }
            for review in self.road_reviews.get(set).into_iter().flatten() {
                line!(text, "    {}", review_text(review, language));
            }
            if let Some(fit) = self.fits.get(set) {
                line!(text, "    {}", fit.text(language));
            }
            if let Some(value) = self.final_values.get(set) {
                let name = language.pick(
                    "value of the last position for the side to move",
                    "оценка последней позиции для стороны, чей ход",
                );
                line!(text, "    {name}: {}", table_value_text(value, language));
            }
        }
        if !self.disagreements.is_empty() {
            line!(text, "  {}:", language.pick("where the rule sets disagree", "где наборы правил расходятся"));
            for disagreement in &self.disagreements {
                line!(text, "    {}", disagreement.explanation(language));
            }
        }
        if !self.readings.is_empty() {
            line!(text, "  {}:", readings_title(language));
            for reading in &self.readings {
                line!(text, "    {}: {}", reading.article, reading.text(language));
            }
        }
        for facts in self.timeline.iter().flatten() {
            line!(text, "  {}", ply_text(facts, language));
        }
        text
    }
}

/// What stands over the readings.
pub(super) fn readings_title(language: Language) -> &'static str {
    language.pick("readings, where the text of the rules is silent", "толкования там, где текст правил молчит")
}

/// A result in words.
pub(super) fn result_name(result: GameResult, language: Language) -> &'static str {
    language.pick(
        result.name(),
        match result {
            GameResult::WinWhite => "выигрыш белых",
            GameResult::WinBlack => "выигрыш чёрных",
            GameResult::Draw => "ничья",
            GameResult::Unfinished => "не окончена",
        },
    )
}

/// A look at the table, in words.
pub(super) fn review_text(review: &RoadReview, language: Language) -> String {
    let ply = review.ply;
    let finding = match &review.finding {
        RoadFinding::Won { winner, .. } => language.pick(
            format!(
                "won for {}: play goes on, and the rule is satisfied until the force ratio changes",
                side_english(*winner)
            ),
            format!(
                "позиция выиграна для {}: игра продолжается, правило выполнено до изменения соотношения сил",
                side_genitive(*winner)
            ),
        ),
        RoadFinding::Drawn(_) => language.pick("not won: a draw".to_owned(), "не выиграна: ничья".to_owned()),
        RoadFinding::Unknown(reason) => {
            let reason = reason.message(language);
            language
                .pick(format!("unknown: needs the table ({reason})"), format!("неизвестно: нужна таблица ({reason})"))
        }
    };
    language.pick(
        format!("1.9.1.5 looked up on ply {ply}: {finding}"),
        format!("1.9.1.5, проверка на полуходе {ply}: {finding}"),
    )
}

/// The counters of a state, in a word each.
pub(super) fn counter_names(language: Language) -> [&'static str; 3] {
    language.pick(["ratio", "kings", "road"], ["силы", "дамки", "большак"])
}

/// One ply with its counters, and the value under the first rule set.
fn ply_text(facts: &PlyFacts, language: Language) -> String {
    let [ratio, kings, road] = counter_names(language);
    let mut text = format!(
        "{:>3} {:<10} {ratio} {:>3} {kings} {:>3}",
        facts.ply,
        facts.move_text.as_deref().unwrap_or("–"),
        facts.ratio_plies,
        facts.kings_plies
    );
    if let Some((_, set)) = facts.sets.iter().next() {
        let _ = write!(text, " {road} {}", set.road_moves);
        if let Some(value) = set.value {
            let _ = write!(text, "  {}", value_name(value, language));
        }
        if let Some(distance) = set.distance_plies {
            let _ = write!(text, " ({})", amount(u32::from(distance), Unit::Plies, language));
        }
        if !set.left.is_empty() {
            let _ = write!(text, "  {}: {}", language.pick("left", "осталось"), left_text(set, language));
        }
    }
    for gave_away in gave_away_texts(facts, language) {
        let _ = write!(text, "  {gave_away}");
    }
    for review in facts.sets.iter().filter_map(|(_, facts)| facts.road_review.as_ref()) {
        if review.ply == facts.ply {
            let _ = write!(text, "  {}", review_text(review, language));
        }
    }
    if facts.occurrence > 1 {
        let _ = write!(text, "  ×{}", facts.occurrence);
    }
    text
}

/// What is left on each count in plies or, where a rule counts one side's moves, in its own moves: `.4 51, .5 2 own`.
pub(super) fn left_text(facts: &SetFacts, language: Language) -> String {
    let left = facts.left.iter().map(|left| {
        let own = match left.unit {
            Unit::OwnMoves => language.pick(" own", " собств."),
            Unit::Plies | Unit::Occurrences | Unit::EqualBlocks => "",
        };
        format!("{} {}{own}", left.article.number().trim_start_matches("1.9.1"), left.left)
    });
    left.collect::<Vec<_>>().join(", ")
}

/// What a move gave away, in words; with the rule sets under which it did, where it did not under all.
pub(super) fn gave_away_texts(facts: &PlyFacts, language: Language) -> Vec<String> {
    [GaveAway::Win, GaveAway::Draw]
        .into_iter()
        .filter_map(|gave_away| {
            let given = facts.sets.iter().filter(|(_, facts)| facts.gave_away == Some(gave_away));
            let sets: Vec<&str> = given.map(|(set, _)| set).collect();
            let text = match gave_away {
                GaveAway::Win => language.pick("gave the win away", "упущен выигрыш"),
                GaveAway::Draw => language.pick("gave the draw away", "упущена ничья"),
            };
            match sets.len() {
                0 => None,
                all if all == facts.sets.iter().count() => Some(text.to_owned()),
                _ => Some(format!("{text} ({})", sets.join(", "))),
            }
        })
        .collect()
}

/// A value with its distance, or why it is not known, in words.
pub(super) fn table_value_text(value: &TableValue, language: Language) -> String {
    match value {
        TableValue::Known(outcome) => {
            let distance = outcome
                .distance_plies
                .map_or(String::new(), |plies| format!(", {}", amount(u32::from(plies), Unit::Plies, language)));
            format!("{}{distance}", value_name(outcome.value, language))
        }
        TableValue::Unknown(reason) => {
            let reason = reason.message(language);
            language.pick(format!("unknown ({reason})"), format!("неизвестно ({reason})"))
        }
    }
}

fn steps_text(text: &mut String, steps: &[Step], language: Language) {
    for step in steps {
        let reading = if step.reading { language.pick(", a reading", ", толкование") } else { "" };
        line!(text, "  [{}{reading}] {}", step.cite, step.text(language));
    }
}

fn line_text(text: &mut String, name: &str, line: &Line) {
    let end = line.over_by.as_deref().unwrap_or("…");
    line!(text, "  {name}: {} → {} ({end})", line.moves.join(" "), line.final_fen);
}

impl ClaimVerdict {
    /// The decision for a person, step by step.
    pub fn to_text(&self, language: Language) -> String {
        let decision = match self.verdict {
            Decision::Upheld => language.pick("upheld", "принято"),
            Decision::Refused => language.pick("refused", "отклонено"),
            Decision::NotConsidered => language.pick("not considered", "не рассматривается"),
            Decision::FactsOnly => language.pick("facts only", "только факты"),
            Decision::NeedsTable => language.pick("unknown: needs the table", "неизвестно: нужна таблица"),
        };
        let game = match self.game {
            Consequence::Drawn(article) => {
                language.pick(format!("the game is drawn ({article})"), format!("ничья ({article})"))
            }
            Consequence::Won(color) => {
                language.pick(format!("{} has won", side_english(color)), format!("выигрыш {}", side_genitive(color)))
            }
            Consequence::GoesOn => language.pick("the game goes on", "игра продолжается").to_owned(),
            Consequence::Undecided => language.pick("undecided", "не решено").to_owned(),
        };
        let mut text = format!("{decision}; {game}\n");
        steps_text(&mut text, &self.steps, language);
        if let Some(line) = &self.line {
            line_text(&mut text, language.pick("line", "вариант"), line);
        }
        if !self.holding_moves.is_empty() {
            line!(text, "  {}: {}", language.pick("moves that hold", "держат ходы"), self.holding_moves.join(" "));
        }
        text
    }
}

impl BySet<ClaimVerdict> {
    /// The decisions under each rule set for a person.
    pub fn to_text(&self, language: Language) -> String {
        self.iter().map(|(set, verdict)| format!("{set}: {}", verdict.to_text(language))).collect()
    }
}

impl Adjudication {
    /// What the game is worth, for a person.
    pub fn to_text(&self, language: Language) -> String {
        let value = table_value_text(&self.value, language);
        let of = language.pick(
            format!("for {} to move", side_english(self.to_move)),
            format!("при ходе {}", side_genitive(self.to_move)),
        );
        let mut text = format!("{}\n  {}: {value} {of}\n", self.fen, language.pick("value", "оценка"));
        if let Some(error) = &self.error {
            let breaks = language.pick("the record breaks off here", "здесь запись обрывается");
            line!(text, "  {breaks}: {}", error.message(language));
        }
        if let Some(ended) = &self.ended {
            line!(
                text,
                "  {} {} ({})",
                language.pick("the game had ended after ply", "партия окончена после полухода"),
                ended.ply,
                ended.by
            );
        }
        if let Some(winner) = self.won_by_flag {
            line!(
                text,
                "  {}",
                language.pick(
                    format!("the flag decides: {} has won (1.8.1); the value is information", side_english(winner)),
                    format!("решает флаг: выигрыш {} (1.8.1); оценка — для сведения", side_genitive(winner)),
                )
            );
        }
        for left in &self.left {
            line!(text, "  {}: {}", left.article, left.text(language));
        }
        for review in &self.road_reviews {
            line!(text, "  {}", review_text(review, language));
        }
        if !self.repeating_moves.is_empty() {
            let name = language.pick("moves that bring a third occurrence", "ходы, дающие третье повторение");
            line!(text, "  {name}: {}", self.repeating_moves.join(" "));
        }
        if let Some(needs) = &self.win_needs {
            let plies = amount(u32::from(needs.plies_to_conversion), Unit::Plies, language);
            let room = if needs.within_the_counts {
                language.pick("within the counts", "счёт позволяет")
            } else {
                language.pick("more than the counts leave", "больше, чем оставляет счёт")
            };
            line!(
                text,
                "  {}",
                language.pick(
                    format!("a win for {} needs {plies} to the next conversion: {room}", side_english(needs.side)),
                    format!("выигрыш {}: до изменения соотношения сил {plies}, {room}", side_genitive(needs.side)),
                )
            );
            if let Some(line) = &needs.line {
                line_text(&mut text, language.pick("line", "вариант"), line);
            }
        }
        steps_text(&mut text, &self.facts, language);
        text
    }
}

impl BySet<Adjudication> {
    /// What the game is worth under each rule set, for a person.
    pub fn to_text(&self, language: Language) -> String {
        self.iter().map(|(set, adjudication)| format!("{set}: {}", adjudication.to_text(language))).collect()
    }
}
