//! The steps of a decision, each with the article it rests on.

use bolshak_rules::{Article, Color};
use bolshak_tables::Value;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::Language;
use crate::oracle::Unknown;
use crate::pdn::{MoveProblem, RecordError};
use crate::verdict::{Count, CountLeft, Reading, amount, side_english, side_genitive, side_nominative};

/// One step of a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The article it rests on, such as `1.9.2`.
    pub cite: &'static str,
    /// Whether it is a reading where the text is silent.
    pub reading: bool,
    /// What it says.
    pub kind: StepKind,
}

/// What a step says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// No full, legible record was presented.
    NoRecord,
    /// The record breaks off before the ply of the claim.
    RecordBreaks(RecordError),
    /// The record goes on after the claim, which is judged as made before the next move.
    RecordGoesOn(usize),
    /// The claimant is to move.
    ToMove(Color),
    /// The claimant is not to move.
    NotToMove(Color),
    /// The position on the board, with the plies after which it stood.
    Stands {
        /// The time it stands, 1 for the first.
        time: u32,
        /// The plies.
        plies: Vec<usize>,
    },
    /// The position after the written move, with the plies after which it stood before.
    WrittenMoveLeads {
        /// The move.
        text: String,
        /// The time it would stand.
        time: u32,
        /// The plies before.
        plies: Vec<usize>,
    },
    /// The written move is not legal.
    WrittenMoveIllegal {
        /// The move as written.
        text: String,
        /// The ply it would have been.
        ply: usize,
        /// Why it is none.
        problem: MoveProblem,
    },
    /// A written move plays no part in a claim of this article.
    WrittenMoveIdle,
    /// The position stood on the board, and the right was lost by moving.
    RightLost {
        /// The side that had it.
        side: Color,
        /// The ply by which it was lost.
        ply: usize,
        /// The move of that ply.
        played: String,
    },
    /// A side's own move brought a position about: made, not only written down.
    MovedInstead {
        /// The side that had the right.
        side: Color,
        /// The ply by which it was lost.
        ply: usize,
        /// The move of that ply.
        played: String,
    },
    /// A side might have claimed with a move that it did not play.
    RightLetGo {
        /// The side that had the right.
        side: Color,
        /// The ply by which it was lost.
        ply: usize,
        /// The move that would have brought a position about.
        text: String,
        /// The move of that ply.
        played: String,
    },
    /// Three equal blocks of the opponent's moves.
    Blocks {
        /// The side that repeated its moves.
        side: Color,
        /// The length of a block in own moves.
        own_moves: usize,
        /// The first ply of the first block.
        from_ply: usize,
    },
    /// No equal blocks of the opponent's moves end here.
    NoBlocks,
    /// The rule set has no such rule.
    NoSuchRule,
    /// The counts end the game without a claim.
    CountsEndTheGame,
    /// How the article is read where its text is silent.
    Reading(Reading),
    /// The count was complete.
    CountMet {
        /// The ply after which it was first met.
        ply: usize,
        /// What was counted.
        count: Count,
    },
    /// The count was not complete; what is left.
    CountNotMet(Option<CountLeft>),
    /// The position on the stronger side's 5th own move is won: play goes on.
    RoadWon {
        /// The ply.
        ply: usize,
        /// The side for which it is won.
        winner: Color,
    },
    /// It is not won: a draw.
    RoadDrawn {
        /// The ply.
        ply: usize,
    },
    /// The table is not there.
    RoadUnknown {
        /// The ply.
        ply: usize,
        /// Why.
        reason: Unknown,
    },
    /// The game had ended before by a count.
    DrawnBefore {
        /// The article.
        article: Article,
        /// The ply.
        ply: usize,
    },
    /// The game was over: a side had no move left. The winner.
    NoMove(Color),
    /// The arbiter checks on the claimant's clock.
    CheckedOnClaimantsClock,
    /// Upheld.
    Upheld,
    /// Upheld although the claimant's flag fell during the check.
    UpheldDespiteFlag,
    /// Refused: the written move counts as played.
    RefusedMoveStands(String),
    /// Refused with no written move that is legal: the claimant simply moves.
    RefusedMoves,
    /// Refused: the game goes on.
    RefusedGoesOn,
    /// Refused: the game had ended before.
    RefusedGameOver,
    /// Refused, and the flag fell during the check.
    RefusedFlag(Color),
    /// The claim is not considered, and the flag fell meanwhile.
    NotConsideredFlag(Color),
    /// The flag had fallen before the claim.
    FlagBefore(Color),
    /// What the table says of forcing a win.
    ForcedWin(Value),
    /// The table does not reach.
    ForcedWinUnknown(Unknown),
    /// A sequence of legal moves wins for this side.
    SequenceWins(Color),
    /// No sequence of legal moves wins for this side.
    NoSequenceWins(Color),
    /// It was not found out within the budget.
    SequenceUnknown(Color),
    /// The decision is the arbiter's.
    ArbiterDecides,
    /// An offer at the proper moment.
    OfferProper(Color, usize),
    /// An offer on the opponent's time.
    OfferOnOpponentsTime(Color, usize),
    /// An offer on one's own time, before moving.
    OfferOnOwnTime(Color, usize),
    /// An offer with a condition.
    OfferConditional(Color, usize),
    /// An offer again before the other side has used its right.
    OfferAgain(Color, usize),
    /// The offer was accepted.
    OfferAccepted,
    /// The offer was accepted although it was out of order.
    OfferAcceptedOutOfOrder,
    /// The offer was declined in words.
    OfferDeclined,
    /// The offer was declined by moving.
    OfferDeclinedByMoving(usize),
    /// The offer is not answered yet.
    OfferOpen(Color),
    /// There was no offer.
    NoOffer,
    /// An offer that was made after the claim.
    OfferAfterClaim(Color, usize),
    /// Offers play no part in a claim of this article.
    OffersIdle,
}

impl Step {
    pub(crate) const fn text_of(cite: &'static str, kind: StepKind) -> Step {
        Step { cite, reading: false, kind }
    }

    pub(crate) const fn reading(cite: &'static str, kind: StepKind) -> Step {
        Step { cite, reading: true, kind }
    }

    /// That only a table which is not there can tell whether 1.9.1.5 ended the game on this ply.
    pub(crate) fn road_unknown(ply: usize, reason: &Unknown) -> Step {
        Step::text_of(Article::MainRoad.number(), StepKind::RoadUnknown { ply, reason: reason.clone() })
    }

    /// The step in a sentence, without its citation.
    pub fn text(&self, language: Language) -> String {
        match language {
            Language::English => self.kind.english(),
            Language::Russian => self.kind.russian(),
        }
    }
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("step", 3)?;
        object.serialize_field("cite", self.cite)?;
        object.serialize_field("reading", &self.reading)?;
        object.serialize_field("text", &self.text(Language::English))?;
        object.end()
    }
}

/// `after plies 0, 4`.
fn after_plies(plies: &[usize], language: Language) -> String {
    let after = match plies {
        [_] => language.pick("after ply", "после полухода"),
        _ => language.pick("after plies", "после полуходов"),
    };
    let plies = plies.iter().map(usize::to_string).collect::<Vec<_>>();
    format!("{after} {}", plies.join(", "))
}

impl StepKind {
    fn english(&self) -> String {
        let name = |color: &Color| side_english(*color);
        match self {
            StepKind::NoRecord => {
                "no full, legible record was presented: the claim is not considered until one is".into()
            }
            StepKind::RecordBreaks(error) => format!(
                "the record breaks off ({}): the claim is not considered until a full, legible one is presented",
                error.message(Language::English)
            ),
            StepKind::RecordGoesOn(ply) => {
                format!("the record goes on; the claim is judged as made before ply {ply} was played")
            }
            StepKind::ToMove(side) => format!("{} is to move and may claim, before moving", name(side)),
            StepKind::NotToMove(side) => {
                format!("only the player to move may claim, and {} is not to move", name(side))
            }
            StepKind::Stands { time, plies } => format!(
                "the position on the board stands for the {} time with this side to move ({})",
                ordinal(*time),
                after_plies(plies, Language::English)
            ),
            StepKind::WrittenMoveLeads { text, time, plies } if plies.is_empty() => {
                format!("the written move {text} leads to a position that stands for the {} time", ordinal(*time))
            }
            StepKind::WrittenMoveLeads { text, time, plies } => format!(
                "the written move {text} leads to a position that stands for the {} time (before: {})",
                ordinal(*time),
                after_plies(plies, Language::English)
            ),
            StepKind::WrittenMoveIllegal { text, ply, problem } => {
                format!("the written move is none: {}", problem.message(*ply, text, Language::English))
            }
            StepKind::WrittenMoveIdle => "a written move plays no part in a claim of this article".into(),
            StepKind::RightLost { side, ply, played } => format!(
                "after ply {} {} could have claimed; by moving it lost the right until the position recurs, and only it \
                 did (ply {ply}, {played})",
                ply - 1,
                name(side)
            ),
            StepKind::MovedInstead { side, ply, played } => format!(
                "{} made the move that brought the position about (ply {ply}, {played}) instead of writing it down: by \
                 moving it lost the right until the position recurs; the opponent could claim at once",
                name(side)
            ),
            StepKind::RightLetGo { side, ply, text, played } => format!(
                "after ply {} {} could have claimed with {text} written down; by moving otherwise it lost that right until \
                 it recurs (ply {ply}, {played})",
                ply - 1,
                name(side)
            ),
            StepKind::Blocks { side, own_moves, from_ply } => format!(
                "the last {} own moves of {} are three equal blocks of {own_moves}, from ply {from_ply} on: the opponent \
                 may declare a draw",
                3 * own_moves,
                name(side)
            ),
            StepKind::NoBlocks => "the opponent's last own moves are not three equal blocks".into(),
            StepKind::NoSuchRule => "this rule set has no such rule".into(),
            StepKind::CountsEndTheGame => {
                "a count ends the game at its ply, whoever points it out and whenever; no claim is needed".into()
            }
            StepKind::Reading(reading) => reading.text(Language::English).into(),
            StepKind::CountMet { ply, count } => {
                format!(
                    "the count was complete after ply {ply}: {}",
                    amount(count.reached, count.unit, Language::English)
                )
            }
            StepKind::CountNotMet(Some(left)) => {
                format!("the count is not complete: {}", left.text(Language::English))
            }
            StepKind::CountNotMet(None) => {
                "the count does not run in this position, and was not complete before".into()
            }
            StepKind::RoadWon { ply, winner } => format!(
                "on ply {ply}, the stronger side's 5th own move, the position is won for {}: play goes on, and the rule is \
                 satisfied for this force ratio",
                name(winner)
            ),
            StepKind::RoadDrawn { ply } => {
                format!("on ply {ply}, the stronger side's 5th own move, the position is not won: a draw")
            }
            StepKind::RoadUnknown { ply, reason } => {
                format!("whether the position on ply {ply} is won is unknown: needs the table ({reason})")
            }
            StepKind::DrawnBefore { article, ply } => {
                format!("the game ended with ply {ply}: drawn by {article}")
            }
            StepKind::NoMove(winner) => {
                format!("the game is over, one side has no move left: {} has won", name(winner))
            }
            StepKind::CheckedOnClaimantsClock => "the arbiter checks on the claimant's clock".into(),
            StepKind::Upheld => "the claim is upheld: the game is drawn".into(),
            StepKind::UpheldDespiteFlag => {
                "the claim is upheld: the game is drawn, although the claimant's flag fell during the check".into()
            }
            StepKind::RefusedMoveStands(text) => {
                format!(
                    "the claim is refused: the written move {text} counts as played, and the game goes on from there"
                )
            }
            StepKind::RefusedMoves => {
                "the claim is refused: no move was written that could stand, so the claimant simply moves".into()
            }
            StepKind::RefusedGoesOn => "the claim is refused: the game goes on".into(),
            StepKind::RefusedGameOver => "the claim is refused: the game had ended".into(),
            StepKind::RefusedFlag(side) => {
                format!("the claim is refused, and the flag fell during the check: {} has lost", name(side))
            }
            StepKind::NotConsideredFlag(side) => {
                format!(
                    "a claim that is not considered does not stop the clock: the flag fell, {} has lost",
                    name(side)
                )
            }
            StepKind::FlagBefore(side) => format!("the flag had fallen before the claim: {} has lost", name(side)),
            StepKind::ForcedWin(value) => match value {
                Value::Win | Value::Loss => "fact: one side can force a win".into(),
                Value::CursedWin | Value::BlessedLoss => {
                    "fact: one side could force a win if there were no draw rules; that is not 1.9.1.2".into()
                }
                Value::Draw => "fact: neither side can force a win".into(),
            },
            StepKind::ForcedWinUnknown(reason) => format!("whether a side can force a win is unknown: {reason}"),
            StepKind::SequenceWins(side) => {
                format!("fact: there is a sequence of legal moves by which {} wins", name(side))
            }
            StepKind::NoSequenceWins(side) => format!("fact: no sequence of legal moves wins for {}", name(side)),
            StepKind::SequenceUnknown(side) => {
                format!("whether some sequence of legal moves wins for {} was not found out", name(side))
            }
            StepKind::ArbiterDecides => "the decision is the arbiter's".into(),
            StepKind::OfferProper(side, ply) => {
                format!("{} offered a draw after its move, ply {ply}, at the proper moment", name(side))
            }
            StepKind::OfferOnOpponentsTime(side, ply) => format!(
                "{} offered a draw after ply {ply} on the opponent's time: the offer stands, and the arbiter warns {}",
                name(side),
                name(side)
            ),
            StepKind::OfferOnOwnTime(side, ply) => format!(
                "{} offered a draw after ply {ply}, on its own time before moving: the opponent may accept, decline, or \
                 wait to see the move",
                name(side)
            ),
            StepKind::OfferConditional(side, ply) => format!(
                "what {} said after ply {ply} had a condition; an offer has none, so it is no offer",
                name(side)
            ),
            StepKind::OfferAgain(side, ply) => format!(
                "{} offered again after ply {ply} before the other side had used its right to offer: out of order",
                name(side)
            ),
            StepKind::OfferAccepted => "the offer was accepted: drawn by agreement".into(),
            StepKind::OfferAcceptedOutOfOrder => {
                "the offer was out of order, but it was accepted: both agree, so the game is drawn".into()
            }
            StepKind::OfferDeclined => "the offer was declined in words".into(),
            StepKind::OfferDeclinedByMoving(ply) => format!("the offer was declined by moving, ply {ply}"),
            StepKind::OfferOpen(side) => format!("the offer of {} is not answered yet", name(side)),
            StepKind::NoOffer => "no draw was offered".into(),
            StepKind::OfferAfterClaim(side, ply) => {
                format!("{} offered a draw after ply {ply}, later than the claim: left aside", name(side))
            }
            StepKind::OffersIdle => "offers play no part in a claim of this article".into(),
        }
    }

    fn russian(&self) -> String {
        let of = side_genitive;
        match self {
            StepKind::NoRecord => {
                "полная разборчивая запись не представлена: требование не рассматривается, пока её нет".into()
            }
            StepKind::RecordBreaks(error) => format!(
                "запись обрывается ({}): требование не рассматривается до представления полной разборчивой записи",
                error.message(Language::Russian)
            ),
            StepKind::RecordGoesOn(ply) => {
                format!("запись продолжается; требование рассматривается как заявленное до полухода {ply}")
            }
            StepKind::ToMove(side) => format!("очередь хода {}, требование можно заявить до хода", of(*side)),
            StepKind::NotToMove(side) => {
                format!("требовать может только игрок, чья очередь хода; сейчас не ход {}", of(*side))
            }
            StepKind::Stands { time, plies } => {
                let after = after_plies(plies, Language::Russian);
                format!("позиция на доске стоит в {time}-й раз при этой очереди хода ({after})")
            }
            StepKind::WrittenMoveLeads { text, time, plies } if plies.is_empty() => {
                format!("записанный ход {text} ведёт к позиции, которая встанет в {time}-й раз")
            }
            StepKind::WrittenMoveLeads { text, time, plies } => format!(
                "записанный ход {text} ведёт к позиции, которая встанет в {time}-й раз (прежде: {})",
                after_plies(plies, Language::Russian)
            ),
            StepKind::WrittenMoveIllegal { text, ply, problem } => {
                format!("записанный ход невозможен: {}", problem.message(*ply, text, Language::Russian))
            }
            StepKind::WrittenMoveIdle => "записанный ход для требования по этой статье не имеет значения".into(),
            StepKind::RightLost { side, ply, played } => format!(
                "после полухода {} право требовать было у {}; сделав ход (полуход {ply}, {played}), они утратили его до \
                 нового повторения, и только они",
                ply - 1,
                of(*side)
            ),
            StepKind::MovedInstead { side, ply, played } => format!(
                "ход, вызвавший позицию (полуход {ply}, {played}), {} сделан на доске, а не только записан: этим право \
                 утрачено до нового повторения; соперник мог требовать сразу",
                side_instrumental(*side)
            ),
            StepKind::RightLetGo { side, ply, text, played } => format!(
                "после полухода {} у {} было право требовать, записав {text}; сделав другой ход (полуход {ply}, {played}), \
                 они утратили его, пока оно не появится вновь",
                ply - 1,
                of(*side)
            ),
            StepKind::Blocks { side, own_moves, from_ply } => format!(
                "последние ходы {} (всего {}) — три одинаковые серии по {own_moves}, начиная с полухода {from_ply}: соперник \
                 может объявить ничью",
                of(*side),
                3 * own_moves
            ),
            StepKind::NoBlocks => "последние ходы соперника не состоят из трёх одинаковых серий".into(),
            StepKind::NoSuchRule => "в этом наборе правил такой статьи нет".into(),
            StepKind::CountsEndTheGame => {
                "счёт кончает партию на своём полуходе, кто бы и когда на это ни указал; требования не нужно".into()
            }
            StepKind::Reading(reading) => reading.text(Language::Russian).into(),
            StepKind::CountMet { ply, count } => {
                format!("счёт завершён после полухода {ply}: {}", amount(count.reached, count.unit, Language::Russian))
            }
            StepKind::CountNotMet(Some(left)) => {
                format!("счёт не завершён: {}", left.text(Language::Russian))
            }
            StepKind::CountNotMet(None) => "в этой позиции такого счёта нет, и прежде он не завершался".into(),
            StepKind::RoadWon { ply, winner } => format!(
                "на полуходе {ply}, 5-м собственном ходу сильнейшей стороны, позиция выиграна для {}: игра продолжается, \
                 для этого соотношения сил правило выполнено",
                of(*winner)
            ),
            StepKind::RoadDrawn { ply } => {
                format!("на полуходе {ply}, 5-м собственном ходу сильнейшей стороны, позиция не выиграна: ничья")
            }
            StepKind::RoadUnknown { ply, reason } => {
                let reason = reason.message(Language::Russian);
                format!("выиграна ли позиция на полуходе {ply}, неизвестно: нужна таблица ({reason})")
            }
            StepKind::DrawnBefore { article, ply } => {
                format!("партия закончилась полуходом {ply}: ничья по {article}")
            }
            StepKind::NoMove(winner) => {
                format!("партия окончена, у одной из сторон не осталось ходов: выигрыш {}", of(*winner))
            }
            StepKind::CheckedOnClaimantsClock => "судья проверяет за счёт времени заявившего".into(),
            StepKind::Upheld => "требование принято: ничья".into(),
            StepKind::UpheldDespiteFlag => {
                "требование принято: ничья, хотя во время проверки флаг заявившего упал".into()
            }
            StepKind::RefusedMoveStands(text) => {
                format!(
                    "требование отклонено: записанный ход {text} считается сделанным, дальше игра идёт с этой позиции"
                )
            }
            StepKind::RefusedMoves => "требование отклонено: возможный ход записан не был, заявивший делает ход".into(),
            StepKind::RefusedGoesOn => "требование отклонено: игра продолжается".into(),
            StepKind::RefusedGameOver => "требование отклонено: партия уже закончилась".into(),
            StepKind::RefusedFlag(side) => {
                format!("требование отклонено, и во время проверки упал флаг: поражение {}", of(*side))
            }
            StepKind::NotConsideredFlag(side) => {
                format!("нерассмотренное требование часов не останавливает: флаг упал, поражение {}", of(*side))
            }
            StepKind::FlagBefore(side) => format!("флаг упал до требования: поражение {}", of(*side)),
            StepKind::ForcedWin(value) => match value {
                Value::Win | Value::Loss => "факт: одна из сторон может форсировать выигрыш".into(),
                Value::CursedWin | Value::BlessedLoss => {
                    "факт: без ничейных правил одна из сторон могла бы форсировать выигрыш; это не 1.9.1.2".into()
                }
                Value::Draw => "факт: ни одна сторона не может форсировать выигрыш".into(),
            },
            StepKind::ForcedWinUnknown(reason) => {
                let reason = reason.message(Language::Russian);
                format!("может ли кто-то форсировать выигрыш, неизвестно: {reason}")
            }
            StepKind::SequenceWins(side) => {
                format!("факт: есть последовательность ходов по правилам, дающая выигрыш {}", side_dative(*side))
            }
            StepKind::NoSequenceWins(side) => {
                format!("факт: никакая последовательность ходов по правилам не даёт выигрыша {}", side_dative(*side))
            }
            StepKind::SequenceUnknown(side) => {
                format!("есть ли последовательность ходов, дающая выигрыш {}, не выяснено", side_dative(*side))
            }
            StepKind::ArbiterDecides => "решение принимает судья".into(),
            StepKind::OfferProper(side, ply) => {
                format!(
                    "{} предложили ничью сразу после своего хода (полуход {ply}), как положено",
                    side_nominative(*side)
                )
            }
            StepKind::OfferOnOpponentsTime(side, ply) => format!(
                "{} предложили ничью после полухода {ply} во время обдумывания соперника: предложение в силе, судья делает \
                 замечание",
                side_nominative(*side)
            ),
            StepKind::OfferOnOwnTime(side, ply) => format!(
                "{} предложили ничью после полухода {ply} на своём времени, до хода: соперник может принять, отклонить или \
                 подождать хода",
                side_nominative(*side)
            ),
            StepKind::OfferConditional(side, ply) => format!(
                "сказанное {} после полухода {ply} содержит условие; предложение условий не имеет, значит, это не \
                 предложение",
                side_instrumental(*side)
            ),
            StepKind::OfferAgain(side, ply) => format!(
                "{} повторили предложение после полухода {ply}, хотя соперник своим правом ещё не воспользовался: не по \
                 порядку",
                side_nominative(*side)
            ),
            StepKind::OfferAccepted => "предложение принято: ничья по соглашению".into(),
            StepKind::OfferAcceptedOutOfOrder => {
                "предложение не по порядку, но принято: обе стороны согласны, ничья".into()
            }
            StepKind::OfferDeclined => "предложение отклонено словами".into(),
            StepKind::OfferDeclinedByMoving(ply) => format!("предложение отклонено ходом (полуход {ply})"),
            StepKind::OfferOpen(side) => format!("на предложение {} ответа ещё нет", of(*side)),
            StepKind::NoOffer => "ничья не предлагалась".into(),
            StepKind::OfferAfterClaim(side, ply) => format!(
                "{} предложили ничью после полухода {ply}, позже требования: не учитывается",
                side_nominative(*side)
            ),
            StepKind::OffersIdle => "предложения для требования по этой статье не имеют значения".into(),
        }
    }
}

/// The side in the Russian dative.
const fn side_dative(color: Color) -> &'static str {
    match color {
        Color::White => "белым",
        Color::Black => "чёрным",
    }
}

/// The side in the Russian instrumental.
const fn side_instrumental(color: Color) -> &'static str {
    match color {
        Color::White => "белыми",
        Color::Black => "чёрными",
    }
}

fn ordinal(number: u32) -> String {
    let suffix = match (number % 10, number % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_are_english() {
        let ordinals: Vec<_> = [1, 2, 3, 4, 11, 12, 13, 21, 22, 103].into_iter().map(ordinal).collect();
        assert_eq!(ordinals, ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "103rd"]);
    }
}
