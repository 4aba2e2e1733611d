//! The grammar of game records: PDN 3.0, its older dialects, score sheets and books. All of it is here, in two levels:
//! [`game`] finds tags, comments, variations and words in a stream of text; [`word`] says what a word is. Nothing here
//! knows a position.

mod game;
mod setup;
mod word;

pub(super) use game::{Input, Item, RawGame, Tag, game, tag_at_line_start};
pub(super) use setup::{BookPosition, book_position};
pub(super) use word::{GLUED_GLYPHS, Joint, Mark, MoveText, PartialSquare, Word, result_word, word};
