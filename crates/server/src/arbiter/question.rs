//! Questions to the arbiter as they come in, checked and made typed.

use std::io::Cursor;

use bolshak_arbiter::pdn::{MAX_GAME_BYTES, Reader, Record};
use bolshak_arbiter::{Answered, Arbiter, Claim, Detail, Flag, Language, Offer, Oracle};
use bolshak_proto::v1;
use bolshak_rules::{Article, Color, RuleSet, Variant};

use crate::failure::Failure;
use crate::query::{Field, Violation, read_turn};

/// The most offers of a claim.
const MAX_OFFERS: usize = 1_000;
/// The longest move has some thirty squares.
const MAX_MOVE_BYTES: usize = 200;
/// The most rule sets of a question: there are fewer, and naming one twice gives nothing.
const MAX_RULE_SETS: usize = RuleSet::ALL.len();

/// By what a game is judged, and in which words.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    pub(super) variant: Variant,
    /// All but `none` when empty.
    sets: Vec<RuleSet>,
    pub(super) language: Language,
}

impl Terms {
    /// Reads terms; what is not given is the default.
    pub(super) fn read(terms: Option<v1::ArbiterTerms>, violations: &mut Vec<Violation>) -> Option<Terms> {
        let terms = terms.unwrap_or_default();
        let before = violations.len();
        let variant = match terms.variant.as_str() {
            "" => Variant::Russian,
            name => name.parse().unwrap_or_else(|error| {
                violations.push(Violation::new(Field::Variant, error));
                Variant::Russian
            }),
        };
        if terms.rule_sets.len() > MAX_RULE_SETS {
            let message = format!("{} rule sets are named; there are {MAX_RULE_SETS}", terms.rule_sets.len());
            violations.push(Violation::new(Field::RuleSets, message));
            return None;
        }
        let mut sets: Vec<RuleSet> = Vec::new();
        for (index, name) in terms.rule_sets.iter().enumerate() {
            match name.parse::<RuleSet>() {
                Ok(set) if sets.contains(&set) => {
                    violations.push(Violation::new(Field::RuleSetItem(index), format!("{name} is named twice")));
                }
                Ok(set) => sets.push(set),
                Err(error) => violations.push(Violation::new(Field::RuleSetItem(index), error)),
            }
        }
        let language = match v1::Language::try_from(terms.language) {
            Ok(v1::Language::Unspecified | v1::Language::English) => Language::English,
            Ok(v1::Language::Russian) => Language::Russian,
            Err(_) => {
                violations.push(Violation::new(Field::Language, "this language is not known"));
                Language::English
            }
        };
        (violations.len() == before).then_some(Terms { variant, sets, language })
    }

    /// An arbiter by these terms.
    pub(super) fn arbiter<'o>(&self, oracle: &'o dyn Oracle) -> Arbiter<'o> {
        let arbiter = Arbiter::new(self.variant);
        let arbiter = if self.sets.is_empty() { arbiter } else { arbiter.with_sets(self.sets.iter().copied()) };
        arbiter.with_oracle(oracle)
    }
}

/// A game with the terms by which it is judged.
#[derive(Debug)]
pub(crate) struct Case {
    pdn: Vec<u8>,
    game: u32,
    pub(super) terms: Terms,
}

impl Case {
    fn read(pdn: Vec<u8>, game: u32, terms: Option<v1::ArbiterTerms>, violations: &mut Vec<Violation>) -> Option<Case> {
        let terms = Terms::read(terms, violations);
        if pdn.len() > MAX_GAME_BYTES {
            let message = format!("the text has {} bytes; {MAX_GAME_BYTES} is the most", pdn.len());
            violations.push(Violation::new(Field::Other("pdn"), message));
        }
        Some(Case { pdn, game, terms: terms? })
    }

    /// The number of the game in its text, from 1.
    pub(super) fn number(&self) -> usize {
        self.game.max(1) as usize
    }

    /// The record of the game, and how many games the text holds.
    pub(super) fn record(&self) -> Result<(Record, usize), Failure> {
        let mut wanted = None;
        let mut games = 0;
        for record in Reader::new(Cursor::new(&self.pdn)) {
            let record = record.map_err(|error| Failure::Internal(format!("reading the text: {error}")))?;
            games += 1;
            if games == self.number() {
                wanted = Some(record);
            }
        }
        let missing = || {
            let (field, message) = match games {
                0 => ("pdn", "there is no game in the text".to_owned()),
                1 => ("game", format!("there is no game {}: the text holds 1", self.number())),
                _ => ("game", format!("there is no game {}: the text holds {games}", self.number())),
            };
            Failure::Invalid(vec![Violation::new(Field::Other(field), message)])
        };
        wanted.map(|record| (record, games)).ok_or_else(missing)
    }
}

/// What was read, if nothing was wrong.
fn checked<T>(read: Option<T>, violations: Vec<Violation>) -> Result<T, Failure> {
    read.filter(|_| violations.is_empty()).ok_or(Failure::Invalid(violations))
}

/// Reads a question for a verdict.
pub(super) fn verify(request: v1::VerifyGameRequest) -> Result<(Case, Detail), Failure> {
    let mut violations = Vec::new();
    let case = Case::read(request.pdn, request.game, request.terms, &mut violations);
    checked(case.map(|case| (case, detail(request.every_ply))), violations)
}

pub(super) const fn detail(every_ply: bool) -> Detail {
    if every_ply { Detail::EveryPly } else { Detail::Summary }
}

/// Reads a claim.
pub(super) fn claim(request: v1::VerifyClaimRequest) -> Result<(Case, Claim), Failure> {
    let mut violations = Vec::new();
    if request.claim.is_none() {
        violations.push(Violation::new(Field::Other("claim"), "the claim is missing"));
    }
    let claim = request.claim.and_then(|claim| read_claim(claim, &mut violations));
    let case = Case::read(request.pdn, request.game, request.terms, &mut violations);
    checked(case.zip(claim), violations)
}

/// Reads a question for an adjudication, and the side whose flag has fallen.
pub(super) fn adjudicate(request: v1::AdjudicateRequest) -> Result<(Case, Option<Color>), Failure> {
    let mut violations = Vec::new();
    let flag = read_turn(request.fallen_flag);
    if flag.is_none() && request.fallen_flag != v1::Color::Unspecified as i32 {
        violations.push(Violation::new(Field::Other("fallen_flag"), "there is no such side"));
    }
    let case = Case::read(request.pdn, request.game, request.terms, &mut violations);
    checked(case.map(|case| (case, flag)), violations)
}

fn read_claim(claim: v1::Claim, violations: &mut Vec<Violation>) -> Option<Claim> {
    let mut bad = |field, message: String| violations.push(Violation::new(field, message));
    let article =
        claim.article.parse::<Article>().map_err(|error| bad(Field::Other("claim.article"), error.to_string())).ok();
    let side = read_turn(claim.side);
    if side.is_none() {
        bad(Field::Other("claim.side"), "the claimant must be given".to_owned());
    }
    let flag = match v1::Flag::try_from(claim.flag) {
        Ok(v1::Flag::Unspecified | v1::Flag::Up) => Flag::Up,
        Ok(v1::Flag::FellBefore) => Flag::FellBefore,
        Ok(v1::Flag::FellDuringCheck) => Flag::FellDuringCheck,
        Err(_) => {
            bad(Field::Other("claim.flag"), "no flag does that".to_owned());
            Flag::Up
        }
    };
    if claim.intended.len() > MAX_MOVE_BYTES {
        let message = format!("the move has {} bytes; {MAX_MOVE_BYTES} is the most", claim.intended.len());
        bad(Field::Other("claim.intended"), message);
    }
    if claim.offers.len() > MAX_OFFERS {
        let message = format!("{} offers are given; {MAX_OFFERS} is the most", claim.offers.len());
        bad(Field::Other("claim.offers"), message);
        return None;
    }
    let mut offers = Vec::new();
    for (index, offer) in claim.offers.iter().enumerate() {
        let side = read_turn(offer.side);
        if side.is_none() {
            bad(Field::OfferPart(index, "side"), "the side that offers must be given".to_owned());
        }
        let answer = match v1::offer::Answer::try_from(offer.answer) {
            Ok(v1::offer::Answer::Unspecified) => None,
            Ok(v1::offer::Answer::Accepted) => Some(Answered::Accepted),
            Ok(v1::offer::Answer::Declined) => Some(Answered::Declined),
            Err(_) => {
                bad(Field::OfferPart(index, "answer"), "there is no such answer".to_owned());
                None
            }
        };
        let (ply, clock_started, conditional) = (offer.ply as usize, offer.clock_started, offer.conditional);
        offers.extend(side.map(|side| Offer { side, ply, clock_started, conditional, answer }));
    }
    Some(Claim {
        intended: Some(claim.intended).filter(|text| !text.is_empty()),
        record_presented: !claim.no_record,
        flag,
        offers,
        ..Claim::new(article?, side?, claim.ply as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused<T: std::fmt::Debug>(question: Result<T, Failure>) -> Vec<String> {
        let Err(Failure::Invalid(violations)) = question else { panic!("{question:?}") };
        violations.iter().map(|violation| violation.field.path("terms.")).collect()
    }

    #[test]
    fn every_bad_field_is_named() {
        let terms = v1::ArbiterTerms {
            rule_sets: ["official", "oficial", "official"].map(str::to_owned).to_vec(),
            variant: "chess".to_owned(),
            language: 9,
        };
        let offer = v1::Offer { answer: 7, ..Default::default() };
        let claim = v1::Claim {
            article: "1.9.9".to_owned(),
            flag: 4,
            intended: "x".repeat(MAX_MOVE_BYTES + 1),
            offers: vec![offer],
            ..Default::default()
        };
        let request = v1::VerifyClaimRequest {
            pdn: vec![b' '; MAX_GAME_BYTES + 1],
            terms: Some(terms),
            claim: Some(claim),
            ..Default::default()
        };
        let named = [
            "claim.article",
            "claim.side",
            "claim.flag",
            "claim.intended",
            "claim.offers[0].side",
            "claim.offers[0].answer",
            "terms.variant",
            "terms.rule_sets[1]",
            "terms.rule_sets[2]",
            "terms.language",
            "pdn",
        ];
        assert_named(refused(self::claim(request)), &named);
        assert_named(refused(self::claim(v1::VerifyClaimRequest::default())), &["claim"]);
        let flag = v1::AdjudicateRequest { fallen_flag: 3, ..Default::default() };
        assert_named(refused(adjudicate(flag)), &["fallen_flag"]);
    }

    fn assert_named(fields: Vec<String>, expected: &[&str]) {
        assert_eq!(fields, expected);
    }

    #[test]
    fn a_game_is_found_by_its_number() {
        let pdn = b"[White \"A\"]\n1. c3-d4 *\n\n[White \"B\"]\n1. c3-b4 *\n";
        let record = |pdn: &[u8], game| {
            verify(v1::VerifyGameRequest { pdn: pdn.to_vec(), game, ..Default::default() })?.0.record()
        };
        let (first, games) = record(pdn, 0).unwrap();
        assert_eq!((first.tag("White"), games), (Some("A"), 2));
        assert_eq!(record(pdn, 2).unwrap().0.tag("White"), Some("B"));
        assert_named(refused(record(pdn, 3)), &["game"]);
        assert_named(refused(record(b" \n", 0)), &["pdn"]);
    }
}
