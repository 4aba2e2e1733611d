//! Which parts of an answer a client wants, so that the others are not computed.

use crate::query::{Field, Violation};

/// How much has to be looked up, each more than the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Nothing: the question tells it all.
    Question,
    /// The value of the state alone.
    Value,
    /// Its distance too.
    Distance,
    /// The moves too.
    Moves,
}

/// Which fields of an answer are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wanted(u16);

impl Wanted {
    pub(crate) const FEN: Wanted = Wanted(1 << 0);
    pub(crate) const COUNTERS: Wanted = Wanted(1 << 1);
    pub(crate) const RULE_SET: Wanted = Wanted(1 << 2);
    pub(crate) const VARIANT: Wanted = Wanted(1 << 3);
    pub(crate) const VALUE: Wanted = Wanted(1 << 4);
    pub(crate) const DISTANCE: Wanted = Wanted(1 << 5);
    pub(crate) const OVER: Wanted = Wanted(1 << 6);
    pub(crate) const MOVES: Wanted = Wanted(1 << 7);
    pub(crate) const REMAINING: Wanted = Wanted(1 << 8);
    pub(crate) const CUT_BY: Wanted = Wanted(1 << 9);
    pub(crate) const HISTORY: Wanted = Wanted(1 << 10);
    pub(crate) const WARNINGS: Wanted = Wanted(1 << 11);
    pub(crate) const CUT_BY_CITES: Wanted = Wanted(1 << 12);
    pub(crate) const CUT_BY_UNKNOWN: Wanted = Wanted(1 << 13);

    const NAMES: [(&str, Wanted); 14] = [
        ("fen", Wanted::FEN),
        ("counters", Wanted::COUNTERS),
        ("rule_set", Wanted::RULE_SET),
        ("variant", Wanted::VARIANT),
        ("value", Wanted::VALUE),
        ("distance_plies", Wanted::DISTANCE),
        ("over", Wanted::OVER),
        ("moves", Wanted::MOVES),
        ("remaining", Wanted::REMAINING),
        ("cut_by", Wanted::CUT_BY),
        ("history_considered", Wanted::HISTORY),
        ("warnings", Wanted::WARNINGS),
        ("cut_by_cites", Wanted::CUT_BY_CITES),
        ("cut_by_unknown", Wanted::CUT_BY_UNKNOWN),
    ];

    /// Everything.
    pub(crate) const ALL: Wanted = Wanted((1 << Wanted::NAMES.len()) - 1);

    /// Everything but what takes a walk along the best line.
    pub(crate) const ALL_BUT_CUT_BY: Wanted = Wanted(Wanted::ALL.0 & !Wanted::ANY_CUT_BY.0);

    /// What takes a walk along the best line.
    const ANY_CUT_BY: Wanted = Wanted(Wanted::CUT_BY.0 | Wanted::CUT_BY_CITES.0 | Wanted::CUT_BY_UNKNOWN.0);

    /// Reads a field mask; none, or an empty one, stands for everything.
    pub(crate) fn read(mask: Option<&prost_types::FieldMask>) -> Result<Wanted, Violation> {
        let paths = mask.map(|mask| mask.paths.as_slice()).unwrap_or_default();
        if paths.is_empty() {
            return Ok(Wanted::ALL);
        }
        paths.iter().try_fold(Wanted(0), |wanted, path| {
            let field = Wanted::NAMES.iter().find(|(name, _)| name == path).map(|(_, field)| field);
            field.map(|field| Wanted(wanted.0 | field.0)).ok_or_else(|| {
                Violation::new(Field::Other("answer_mask"), format!("'{path}' is no field of an answer"))
            })
        })
    }

    pub(crate) const fn has(self, field: Wanted) -> bool {
        self.0 & field.0 != 0
    }

    /// How much has to be looked up.
    pub(crate) const fn depth(self) -> Depth {
        if self.has(Wanted::MOVES) || self.has(Wanted::OVER) {
            Depth::Moves
        } else if self.has(Wanted::DISTANCE) {
            Depth::Distance
        } else if self.has(Wanted::VALUE) || self.has_cut_by() {
            Depth::Value
        } else {
            Depth::Question
        }
    }

    /// Whether the article that takes a win away has to be found.
    pub(crate) const fn has_cut_by(self) -> bool {
        self.has(Wanted::ANY_CUT_BY)
    }

    /// The thing, if the field is wanted; else what an absent field holds.
    pub(crate) fn get<T: Default>(self, field: Wanted, thing: impl FnOnce() -> T) -> T {
        if self.has(field) { thing() } else { T::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(paths: &[&str]) -> Result<Wanted, Violation> {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        Wanted::read(Some(&prost_types::FieldMask { paths }))
    }

    #[test]
    fn masks_name_fields_of_an_answer() {
        assert_eq!(Wanted::read(None), Ok(Wanted::ALL));
        assert_eq!(read(&[]), Ok(Wanted::ALL));
        let wanted = read(&["value", "distance_plies"]).unwrap();
        assert!(wanted.has(Wanted::VALUE) && wanted.has(Wanted::DISTANCE) && !wanted.has(Wanted::MOVES));
        let depths = [&["fen", "remaining"][..], &["value", "fen"], &["cut_by"], &["distance_plies"], &["over"], &[]];
        let expected = [Depth::Question, Depth::Value, Depth::Value, Depth::Distance, Depth::Moves, Depth::Moves];
        assert_eq!(depths.map(|paths| read(paths).unwrap().depth()), expected);
        assert_eq!(read(&["value", "valeu"]).unwrap_err().message, "'valeu' is no field of an answer");
    }

    #[test]
    fn every_field_of_an_answer_can_be_asked_for() {
        let descriptors =
            <prost_types::FileDescriptorSet as prost::Message>::decode(bolshak_proto::DESCRIPTORS).unwrap();
        let messages = descriptors.file.iter().flat_map(|file| &file.message_type);
        let answer = messages.clone().find(|message| message.name() == "Answer").unwrap();
        let fields: Vec<_> = answer.field.iter().map(prost_types::FieldDescriptorProto::name).collect();
        assert_eq!(Wanted::NAMES.map(|(name, _)| name).as_slice(), fields);
    }
}
