//! Readings: what the counts of 1.9.1.3 and 1.9.1.5 rest on where the text of the rules is silent.

use bolshak_rules::{Article, Color, Position, Rules, State};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::has_rule;
use super::judge::Judged;
use crate::Language;

/// How an article is read where its text is silent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The article.
    pub article: Article,
    english: &'static str,
    russian: &'static str,
}

const READINGS: [Reading; 6] = [
    Reading {
        article: Article::ThreeKings,
        english: "the stronger side has kings only",
        russian: "у сильнейшей стороны только дамки",
    },
    Reading {
        article: Article::ThreeKings,
        english: "the count starts anew when four kings become three",
        russian: "счёт начинается заново, когда из четырёх дамок остаются три",
    },
    Reading {
        article: Article::ThreeKings,
        english: "a single king is a lone one: its side has nothing else",
        russian: "одна дамка — это одинокая дамка: других фигур у её стороны нет",
    },
    Reading {
        article: Article::MainRoad,
        english: "a single king is a lone one: its side has nothing else",
        russian: "одна дамка — это одинокая дамка: других фигур у её стороны нет",
    },
    Reading {
        article: Article::MainRoad,
        english: "the count starts when the lone king steps on the main road (so says an older popular text, not 1.9.1.5), and \
                  anew when it has left it",
        russian: "счёт начинается, когда одинокая дамка встала на большую дорогу (так в старом популярном тексте, не в \
                  1.9.1.5), и заново, если она её покинула",
    },
    Reading {
        article: Article::MainRoad,
        english: "the count starts anew when two kings and a man become three kings",
        russian: "счёт начинается заново, когда две дамки и простая становятся тремя дамками",
    },
];

impl Reading {
    /// The readings of an article.
    pub(crate) fn of(article: Article) -> impl Iterator<Item = Reading> {
        READINGS.into_iter().filter(move |reading| reading.article == article)
    }

    /// What is read, in a sentence.
    pub const fn text(&self, language: Language) -> &'static str {
        match language {
            Language::English => self.english,
            Language::Russian => self.russian,
        }
    }
}

impl Serialize for Reading {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("reading", 2)?;
        object.serialize_field("article", self.article.number())?;
        object.serialize_field("text", self.text(Language::English))?;
        object.end()
    }
}

/// The readings that bear on a game under one of these rule sets.
pub(crate) fn readings(judged: &[(Rules, Judged)]) -> Vec<Reading> {
    let bears = |article| {
        judged.iter().any(|(rules, judged)| {
            has_rule(&rules.set, article) && judged.states.iter().any(|state| bears_on(rules, state, article))
        })
    };
    [Article::ThreeKings, Article::MainRoad]
        .into_iter()
        .filter(|article| bears(*article))
        .flat_map(Reading::of)
        .collect()
}

fn bears_on(rules: &Rules, state: &State, article: Article) -> bool {
    match article {
        Article::ThreeKings => [Color::White, Color::Black]
            .into_iter()
            .any(|stronger| kings_against_a_lone_one(&state.position, stronger) >= 3),
        _ => rules.remaining(state).any(|remaining| remaining.article == article),
    }
}

/// How many kings a side has, with men or without, against a lone king; 0 where there is none.
fn kings_against_a_lone_one(position: &Position, stronger: Color) -> u32 {
    let (side, other) = (position.side(stronger), position.side(stronger.opponent()));
    if other.men.is_empty() && other.kings.len() == 1 { side.kings.len() } else { 0 }
}
