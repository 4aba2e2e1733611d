//! The languages in which verdicts are written.

use std::str::FromStr;

/// A language for people to read. JSON is always in English.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Russian, in the words of the official rules.
    Russian,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 2] = [Language::English, Language::Russian];

    /// The code on the command line and in HTML: `en`, `ru`.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Russian => "ru",
        }
    }

    /// The one of two texts that is in this language.
    pub(crate) fn pick<T>(self, english: T, russian: T) -> T {
        match self {
            Language::English => english,
            Language::Russian => russian,
        }
    }
}

/// No language has this code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown language '{0}'; known: en, ru")]
pub struct UnknownLanguage(pub String);

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(text: &str) -> Result<Language, UnknownLanguage> {
        Language::ALL
            .into_iter()
            .find(|language| language.code() == text)
            .ok_or_else(|| UnknownLanguage(text.to_owned()))
    }
}
