//! Normalised PDN: the seven usual tags first, moves with `-` and `:`, lines of at most 80 characters.

use std::fmt::{self, Write as _};

use bolshak_rules::{Color, Position};

use super::grammar::GLUED_GLYPHS;
use super::record::{Played, Record};

const FIRST_TAGS: [&str; 5] = ["Event", "Site", "Date", "Round", "White"];
const LINE_CHARS: usize = 80;

impl Record {
    /// The record as normalised PDN: UTF-8, GameType 25, results `2-0`, `1-1`, `0-2`, `*`. Moves after an error are lost.
    pub fn to_pdn(&self) -> String {
        let mut pdn = String::new();
        for name in FIRST_TAGS.into_iter().chain(["Black"]) {
            push_tag(&mut pdn, name, self.tag(name).unwrap_or("?"));
        }
        push_tag(&mut pdn, "Result", self.result.pdn());
        push_tag(&mut pdn, "GameType", "25");
        if let Some(start) = self.start.filter(|start| *start != Position::start()) {
            push_tag(&mut pdn, "SetUp", "1");
            push_tag(&mut pdn, "FEN", &start.to_fen());
        }
        let own = |name: &str| {
            FIRST_TAGS
                .iter()
                .chain(&["Black", "Result", "GameType", "SetUp", "FEN"])
                .any(|own| own.eq_ignore_ascii_case(name))
        };
        for tag in self.tags.iter().filter(|tag| !own(&tag.name)) {
            push_tag(&mut pdn, &tag.name, &tag.value);
        }
        pdn.push('\n');
        self.push_moves(&mut pdn);
        pdn
    }

    fn push_moves(&self, pdn: &mut String) {
        let mut lines = Lines { text: pdn, column: 0 };
        for comment in &self.comments {
            lines.push_comment(comment);
        }
        let black_first = usize::from(self.first_to_move() == Color::Black);
        let mut number_due = true;
        for (ply, (text, played)) in self.move_texts().iter().zip(&self.moves).enumerate() {
            let number = (ply + black_first) / 2 + 1;
            let black = (ply + black_first) % 2 == 1;
            if !black {
                lines.push(format_args!("{number}."));
            } else if number_due {
                lines.push(format_args!("{number}..."));
            }
            let glued = played.glyphs.find(|glyph| !GLUED_GLYPHS.contains(&glyph)).unwrap_or(played.glyphs.len());
            let (glued, alone) = played.glyphs.split_at(glued);
            lines.push(format_args!("{text}{glued}"));
            if !alone.is_empty() {
                lines.push(format_args!("{alone}"));
            }
            number_due = lines.push_remarks(played);
        }
        lines.push(format_args!("{}", self.result.pdn()));
        pdn.push('\n');
    }
}

fn push_tag(pdn: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    // Writing to a string cannot fail.
    let _ = writeln!(pdn, "[{name} \"{value}\"]");
}

struct Lines<'p> {
    text: &'p mut String,
    column: usize,
}

impl Lines<'_> {
    fn push(&mut self, word: fmt::Arguments<'_>) {
        let word = word.to_string();
        let chars = word.chars().count();
        if self.column > 0 && self.column + 1 + chars > LINE_CHARS {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(&word);
        self.column += chars;
    }

    fn push_comment(&mut self, comment: &str) {
        for word in format!("{{{}}}", comment.replace('}', ")")).split_whitespace() {
            self.push(format_args!("{word}"));
        }
    }

    /// Writes what stands around a move; whether anything does.
    fn push_remarks(&mut self, played: &Played) -> bool {
        for nag in &played.nags {
            self.push(format_args!("${nag}"));
        }
        for comment in &played.comments {
            self.push_comment(comment);
        }
        for variation in &played.variations {
            for word in format!("({variation})").split_whitespace() {
                self.push(format_args!("{word}"));
            }
        }
        !played.comments.is_empty() || !played.variations.is_empty()
    }
}
