//! Variants and draw-rule sets as data (rules, parts 2 and 5).

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// An article of the draw rules, named by its official number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Article {
    /// 1.9.1.1: both agree to a draw.
    Agreement,
    /// 1.9.1.2: neither side can win.
    NoWinPossible,
    /// 1.9.1.3: three kings or more against a single king.
    ThreeKings,
    /// 1.9.1.4: the force ratio has not changed for 5, 30 or 60 moves.
    UnchangedRatio,
    /// 1.9.1.5: three pieces against a single king on the main road.
    MainRoad,
    /// 1.9.1.6: 15 moves by kings only.
    KingsOnly,
    /// 1.9.1.7: the same position for the third time.
    Repetition,
}

impl Article {
    /// All articles, in order of number.
    pub const ALL: [Article; 7] = [
        Article::Agreement,
        Article::NoWinPossible,
        Article::ThreeKings,
        Article::UnchangedRatio,
        Article::MainRoad,
        Article::KingsOnly,
        Article::Repetition,
    ];

    /// The official number, such as `1.9.1.3`.
    pub const fn number(self) -> &'static str {
        match self {
            Article::Agreement => "1.9.1.1",
            Article::NoWinPossible => "1.9.1.2",
            Article::ThreeKings => "1.9.1.3",
            Article::UnchangedRatio => "1.9.1.4",
            Article::MainRoad => "1.9.1.5",
            Article::KingsOnly => "1.9.1.6",
            Article::Repetition => "1.9.1.7",
        }
    }
}

impl fmt::Display for Article {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.number())
    }
}

/// No article has this number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no article of the draw rules; they are 1.9.1.1 to 1.9.1.7")]
pub struct UnknownArticle(pub String);

impl FromStr for Article {
    type Err = UnknownArticle;

    fn from_str(text: &str) -> Result<Article, UnknownArticle> {
        Article::ALL.into_iter().find(|article| article.number() == text).ok_or_else(|| UnknownArticle(text.to_owned()))
    }
}

/// What is played: the moves, and what it means to have none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// Russian draughts: a side to move without a move has lost.
    Russian,
    /// Giveaway (поддавки): the same moves, but a side to move without a move has won.
    Giveaway,
}

impl Variant {
    /// All variants.
    pub const ALL: [Variant; 2] = [Variant::Russian, Variant::Giveaway];

    /// The name on the command line, in files and in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Russian => "russian",
            Variant::Giveaway => "giveaway",
        }
    }

    /// Whether a side that is to move and has no legal move has won (it has lost in Russian draughts, 1.8.1).
    pub const fn no_move_wins(self) -> bool {
        matches!(self, Variant::Giveaway)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No variant has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown variant '{0}'; known: russian, giveaway")]
pub struct UnknownVariant(pub String);

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(text: &str) -> Result<Variant, UnknownVariant> {
        Variant::ALL.into_iter().find(|variant| variant.name() == text).ok_or_else(|| UnknownVariant(text.to_owned()))
    }
}

/// 1.9.1.3: kings only, at least `min_kings`, against exactly one king and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ThreeKings {
    /// The least number of kings of the stronger side.
    pub min_kings: u32,
    /// When it is drawn.
    pub limit: ThreeKingsLimit,
}

/// How the limit of 1.9.1.3 is counted from the moment the force ratio arose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThreeKingsLimit {
    /// So many moves of the stronger side itself.
    OwnMoves(u32),
    /// So many plies, whoever moved first.
    Plies(u32),
}

/// A limit on the plies for which the force ratio may stand unchanged (1.9.1.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct RatioLimit {
    /// The material it is for.
    pub material: RatioMaterial,
    /// Drawn when `ratio` reaches this number of plies.
    pub plies: u32,
}

/// The material a [`RatioLimit`] is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RatioMaterial {
    /// Both sides have a king, and so many pieces are on the board.
    BothHaveKing {
        /// The fewest pieces.
        min_pieces: u32,
        /// The most pieces.
        max_pieces: u32,
    },
    /// One side has exactly one king and at least one man, the other at least so many kings.
    OneKingWithMen {
        /// The least number of the other side's kings.
        min_opponent_kings: u32,
    },
}

/// 1.9.1.5: three pieces against a single king on the main road.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct MainRoad {
    /// Drawn when `road` reaches this number of the stronger side's own moves.
    pub own_moves: u8,
    /// The least number of kings among the three pieces.
    pub min_kings: u32,
    /// Whether the lone king must be the only piece on the main road.
    pub alone_on_road: bool,
    /// What happens on the last of these moves.
    pub reading: RoadReading,
}

/// The two readings of 1.9.1.5.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoadReading {
    /// Drawn unless the move ends the game or changes the force ratio.
    Strict,
    /// Drawn unless the position, with this rule set aside, is won for either side.
    WonPosition,
}

/// 1.9.1.6: moves by kings only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct KingsOnly {
    /// Drawn when `kings` reaches this number of plies.
    pub plies: u32,
    /// The fewest pieces on the board for which it counts.
    pub min_pieces: u32,
}

/// How repetition is judged, from a game's record only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repetition {
    /// The same position with the same side to move for the so-manieth time (1.9.1.7).
    Occurrences(u32),
    /// One side's last own moves are so many equal blocks of at least so many moves (classic code, article 19).
    EqualBlocks {
        /// How many blocks.
        blocks: u32,
        /// The least length of a block in own moves.
        min_moves: u32,
    },
}

/// A named set of draw rules. Everything that differs between readings of the code is here, and nowhere else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct RuleSet {
    /// The name on the command line, in files and in answers.
    pub name: &'static str,
    /// 1.9.1.3.
    pub three_kings: Option<ThreeKings>,
    /// 1.9.1.4.
    pub unchanged_ratio: &'static [RatioLimit],
    /// 1.9.1.5.
    pub main_road: Option<MainRoad>,
    /// 1.9.1.6.
    pub kings_only: Option<KingsOnly>,
    /// 1.9.1.7, or what takes its place.
    pub repetition: Option<Repetition>,
    /// The articles under other numbers, for sets that have their own.
    #[serde(skip)]
    pub cites: &'static [(Article, &'static str)],
}

const OFFICIAL_RATIO: &[RatioLimit] = &[
    RatioLimit { material: RatioMaterial::BothHaveKing { min_pieces: 2, max_pieces: 3 }, plies: 10 },
    RatioLimit { material: RatioMaterial::BothHaveKing { min_pieces: 4, max_pieces: 5 }, plies: 60 },
    RatioLimit { material: RatioMaterial::BothHaveKing { min_pieces: 6, max_pieces: 7 }, plies: 120 },
];

/// Part 2 of the rules, the road rule by its strict reading.
const OFFICIAL: RuleSet = RuleSet {
    name: "official",
    three_kings: Some(ThreeKings { min_kings: 3, limit: ThreeKingsLimit::OwnMoves(15) }),
    unchanged_ratio: OFFICIAL_RATIO,
    main_road: Some(MainRoad { own_moves: 5, min_kings: 0, alone_on_road: false, reading: RoadReading::Strict }),
    kings_only: Some(KingsOnly { plies: 30, min_pieces: 2 }),
    repetition: Some(Repetition::Occurrences(3)),
    cites: &[],
};

/// The same, the road rule by the won position.
const OFFICIAL_WON_POSITION: RuleSet = RuleSet {
    name: "official-won-position",
    main_road: Some(MainRoad { own_moves: 5, min_kings: 0, alone_on_road: false, reading: RoadReading::WonPosition }),
    ..OFFICIAL
};

/// The FMJD-64 text (7.2.4-7.2.8) in the reading of the largest open server, fitted to this state machine.
const FMJD64: RuleSet = RuleSet {
    name: "fmjd64",
    three_kings: Some(ThreeKings { min_kings: 3, limit: ThreeKingsLimit::Plies(30) }),
    main_road: Some(MainRoad { own_moves: 5, min_kings: 1, alone_on_road: true, reading: RoadReading::Strict }),
    kings_only: Some(KingsOnly { plies: 30, min_pieces: 8 }),
    cites: &[
        (Article::ThreeKings, "7.2.4"),
        (Article::UnchangedRatio, "7.2.6, 7.2.8"),
        (Article::MainRoad, "7.2.7"),
        (Article::KingsOnly, "7.2.5"),
        (Article::Repetition, "7.2.3"),
    ],
    ..OFFICIAL
};

/// The older code, articles 18-22.
const CLASSIC: RuleSet = RuleSet {
    name: "classic",
    three_kings: Some(ThreeKings { min_kings: 3, limit: ThreeKingsLimit::OwnMoves(15) }),
    unchanged_ratio: &[RatioLimit { material: RatioMaterial::OneKingWithMen { min_opponent_kings: 1 }, plies: 60 }],
    main_road: None,
    kings_only: None,
    repetition: Some(Repetition::EqualBlocks { blocks: 3, min_moves: 2 }),
    cites: &[(Article::ThreeKings, "18-22"), (Article::UnchangedRatio, "18-22"), (Article::Repetition, "19")],
};

/// No draw rules: the game-theoretic value.
const NONE: RuleSet = RuleSet {
    name: "none",
    three_kings: None,
    unchanged_ratio: &[],
    main_road: None,
    kings_only: None,
    repetition: None,
    cites: &[],
};

impl RuleSet {
    /// All rule sets, the default first and `none` last.
    pub const ALL: [RuleSet; 5] = [OFFICIAL, OFFICIAL_WON_POSITION, FMJD64, CLASSIC, NONE];

    /// What other numbers a set has for an article.
    pub fn cites(&self, article: Article) -> Option<&'static str> {
        self.cites.iter().find(|(cited, _)| *cited == article).map(|(_, numbers)| *numbers)
    }
}

/// No rule set has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule set '{0}'; known: official, official-won-position, fmjd64, classic, none")]
pub struct UnknownRuleSet(pub String);

impl FromStr for RuleSet {
    type Err = UnknownRuleSet;

    fn from_str(text: &str) -> Result<RuleSet, UnknownRuleSet> {
        RuleSet::ALL.into_iter().find(|set| set.name == text).ok_or_else(|| UnknownRuleSet(text.to_owned()))
    }
}

/// A variant together with the draw rules that apply to it: all that decides how a game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Rules {
    /// The variant.
    pub variant: Variant,
    /// The draw rules, less those that the variant does without.
    pub set: RuleSet,
}

impl Rules {
    /// The rules of a variant under a rule set. Giveaway does without 1.9.1.3 and 1.9.1.5 (a reading, rules part 5).
    pub const fn new(variant: Variant, mut set: RuleSet) -> Rules {
        if matches!(variant, Variant::Giveaway) {
            set.three_kings = None;
            set.main_road = None;
        }
        Rules { variant, set }
    }

    /// Russian draughts under the official rules.
    pub const OFFICIAL: Rules = Rules::new(Variant::Russian, OFFICIAL);

    /// Russian draughts without draw rules.
    pub const NONE: Rules = Rules::new(Variant::Russian, NONE);

    /// The occurrence of a position at which a draw may be claimed (1.9.1.7), where these rules count occurrences.
    pub const fn occurrences_that_draw(&self) -> Option<u32> {
        match self.set.repetition {
            Some(Repetition::Occurrences(count)) => Some(count),
            _ => None,
        }
    }

    /// The same variant without draw rules.
    pub const fn without_draw_rules(self) -> Rules {
        Rules::new(self.variant, NONE)
    }

    /// A digest of the definition: the variant, the set's name and every number and condition in it, but not the numbers
    /// under which it cites the articles. Tables carry it, so that a table made under another definition is never taken
    /// for one of these, even if that had the same name.
    pub fn digest(&self) -> [u8; 32] {
        // Serialising plain data without maps cannot fail; an empty text would only make every table foreign.
        let definition = serde_json::to_vec(self).unwrap_or_default();
        *blake3::hash(&definition).as_bytes()
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.variant, self.set.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for set in RuleSet::ALL {
            assert_eq!(set.name.parse(), Ok(set));
        }
        for variant in Variant::ALL {
            assert_eq!(variant.name().parse(), Ok(variant));
        }
        for article in Article::ALL {
            assert_eq!(article.number().parse(), Ok(article));
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_all_that_are_known() {
        let error = "oficial".parse::<RuleSet>().unwrap_err().to_string();
        assert!(RuleSet::ALL.iter().all(|set| error.contains(set.name)), "{error}");
        let error = "chess".parse::<Variant>().unwrap_err().to_string();
        assert!(Variant::ALL.iter().all(|variant| error.contains(variant.name())), "{error}");
        assert!("1.9.1.8".parse::<Article>().is_err());
    }

    #[test]
    fn giveaway_does_without_two_articles_of_every_set() {
        for set in RuleSet::ALL {
            let rules = Rules::new(Variant::Giveaway, set);
            assert_eq!(rules.set, RuleSet { three_kings: None, main_road: None, ..set });
            assert_eq!(Rules::new(Variant::Russian, set).set, set);
        }
    }

    #[test]
    fn digests_tell_definitions_apart() {
        let digests: std::collections::HashSet<_> = Variant::ALL
            .into_iter()
            .flat_map(|variant| RuleSet::ALL.map(|set| Rules::new(variant, set).digest()))
            .collect();
        assert_eq!(digests.len(), Variant::ALL.len() * RuleSet::ALL.len());
    }
}
