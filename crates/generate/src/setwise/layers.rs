//! Retrograde analysis of one placement: layer by layer of distance, both sides in turn.
//!
//! Men moves and conversions lead out of the placement and are known beforehand; what is left are king moves. A position
//! is won in `n` plies if one of its successors is lost in `n - 1`, and lost in `n` if all are won in less than `n`. So
//! each layer spreads the last one's losses by a slide into wins, and keeps of the undecided positions those whose kings
//! cannot slide to anything not yet won. Only units where something has changed are visited.

use bolshak_rules::{Color, Direction, Squares};
use bolshak_tables::Placement;

use super::board::{Board, lanes, store};
use super::cells::Cell;
use super::isa::{Isa, Lanes};
use super::king_captures::{CaptureViews, TakenViews, king_captures};
use super::layout::{Layout, ROWS_OF_ONE_KING};
use super::man_captures::{CaptureRows, Converted, man_captures};
use super::sets::rank;
use super::side::Side;
use super::slide::reach;

/// Losses of the other side have arrived in a unit.
const LOSSES: u8 = 1;
/// Wins of the other side have arrived in a unit.
const WINS: u8 = 2;
/// No event is to come.
pub(super) const NEVER: u32 = u32::MAX;

/// A distance was too long for the codes in use.
pub(super) struct TooLong;

/// What one side's positions at one placement have come to so far; everything is laid out for this side as the reader.
pub(super) struct Work<C> {
    /// True positions.
    valid: Vec<u32>,
    /// Undecided ones.
    pub(super) open: Vec<u32>,
    /// Those in which a king may make a quiet move, if it has one: no capture is possible.
    quiet: Vec<u32>,
    /// Positions with the other side to move that it has lost.
    pub(super) opponent_lost: Vec<u32>,
    /// Positions with the other side to move that it has won.
    pub(super) opponent_won: Vec<u32>,
    /// Those of `opponent_lost` that have not been spread yet.
    arrived: Vec<u32>,
    /// Wins found in this layer.
    wins: Vec<u32>,
    /// Losses found in this layer.
    losses: Vec<u32>,
    /// The least code of the successors that men moves and conversions lead to.
    pub(super) best: Vec<C>,
    /// The codes of the positions themselves.
    pub(super) codes: Vec<C>,
    /// The codes of the positions with the other side to move.
    pub(super) opponent_codes: Vec<C>,
    /// What has arrived in each unit.
    changed: Vec<u8>,
    /// The layer in which `best` next decides something in each unit.
    pub(super) events: Vec<u32>,
    /// Units with new wins or losses.
    found: Vec<bool>,
    views: [Vec<u32>; 2],
    row: Vec<u32>,
    capture_views: CaptureViews,
    capture_rows: CaptureRows,
    taken_views: TakenViews,
}

impl<C: Cell> Work<C> {
    pub(super) fn new(side: &Side) -> Work<C> {
        let layout = &side.layout;
        let words = || vec![0_u32; layout.padded_words()];
        let cells = || vec![C::default(); 32 * layout.padded_words()];
        let view = || vec![0; layout.view_words().next_multiple_of(16)];
        Work {
            valid: words(),
            open: words(),
            quiet: words(),
            opponent_lost: words(),
            opponent_won: words(),
            arrived: words(),
            wins: words(),
            losses: words(),
            best: cells(),
            codes: cells(),
            opponent_codes: cells(),
            changed: vec![0; layout.units()],
            events: vec![NEVER; layout.units()],
            found: vec![false; layout.units()],
            views: [view(), view()],
            row: vec![0; layout.unit_words()],
            capture_views: CaptureViews::new(layout.view_words()),
            capture_rows: CaptureRows::new(layout.unit_words()),
            taken_views: TakenViews::new(side),
        }
    }

    /// The bits of true positions.
    pub(super) fn valid(&self) -> &[u32] {
        &self.valid
    }

    /// Prepares everything that is known before the first layer. `moved` has the other side's codes of the placements
    /// that quiet man moves lead to.
    pub(super) fn start<'a, I: Isa>(&mut self, isa: I, board: &Board, moved: impl Fn(Placement) -> &'a [C]) {
        self.clear(isa, board);
        self.quiet_man_moves(isa, board, moved);
        self.captures(isa, board);
    }

    /// Knows the true positions of a placement, and nothing else.
    pub(super) fn clear<I: Isa>(&mut self, isa: I, board: &Board) {
        isa.vectorize(
            #[inline(always)]
            || {
                mark_valid(board, &mut self.valid);
                self.best.fill(C::NONE);
                self.forget(isa);
            },
        );
    }

    /// Finds all captures; where there are any, nothing else counts.
    pub(super) fn captures<I: Isa>(&mut self, isa: I, board: &Board) {
        let unit_words = board.side.layout.unit_words();
        for unit in 0..board.side.layout.units() {
            let words = unit * unit_words..(unit + 1) * unit_words;
            if self.valid[words.clone()].iter().any(|&word| word != 0) {
                self.unit_captures(isa, board, unit, words);
            }
        }
    }

    /// Starts with what is known beforehand for another side, with the layers in which men moves and conversions decide
    /// something `sooner` by so many, but none before the first.
    pub(super) fn restart<I: Isa>(&mut self, isa: I, other: &Work<C>, sooner: u32) {
        isa.vectorize(
            #[inline(always)]
            || {
                self.valid.copy_from_slice(&other.valid);
                self.quiet.copy_from_slice(&other.quiet);
                for (best, &other) in self.best.iter_mut().zip(&other.best) {
                    *best = C::sooner(other, sooner);
                }
                self.forget(isa);
            },
        );
    }

    /// Takes over all results of another side.
    pub(super) fn copy_from(&mut self, other: &Work<C>) {
        for (to, from) in [
            (&mut self.valid, &other.valid),
            (&mut self.open, &other.open),
            (&mut self.quiet, &other.quiet),
            (&mut self.opponent_lost, &other.opponent_lost),
            (&mut self.opponent_won, &other.opponent_won),
            (&mut self.arrived, &other.arrived),
            (&mut self.wins, &other.wins),
            (&mut self.losses, &other.losses),
            (&mut self.events, &other.events),
        ] {
            to.copy_from_slice(from);
        }
        for (to, from) in [
            (&mut self.best, &other.best),
            (&mut self.codes, &other.codes),
            (&mut self.opponent_codes, &other.opponent_codes),
        ] {
            to.copy_from_slice(from);
        }
        self.changed.copy_from_slice(&other.changed);
        self.found.copy_from_slice(&other.found);
    }

    /// Forgets all results.
    #[inline(always)]
    fn forget<I: Isa>(&mut self, isa: I) {
        self.open.copy_from_slice(&self.valid);
        self.changed.fill(WINS);
        self.opponent_lost.fill(0);
        self.opponent_won.fill(0);
        self.arrived.fill(0);
        self.wins.fill(0);
        self.losses.fill(0);
        self.found.fill(false);
        self.codes.fill(C::NONE);
        paint(isa, &mut self.codes, &self.valid, C::NOTHING);
        self.opponent_codes.copy_from_slice(&self.codes);
    }

    /// Forgets what has arrived from the other side and has not been spread.
    pub(super) fn drop_arrived(&mut self) {
        self.arrived.fill(0);
        self.changed.fill(0);
    }

    /// Forgets all wins and losses that take more plies than these: of the positions themselves, and of those with the
    /// other side to move, whose codes other placements still need.
    pub(super) fn limit<I: Isa>(&mut self, isa: I, plies: u32, opponent_plies: u32) {
        isa.vectorize(
            #[inline(always)]
            || {
                forget_beyond(isa, &mut self.codes, plies);
                let codes = self.opponent_codes.as_chunks().0;
                for (word, &valid) in self.valid.iter().enumerate() {
                    self.opponent_lost[word] = valid & !C::at_least(isa, &codes[word], C::loss(opponent_plies + 1));
                    self.opponent_won[word] = valid & C::at_least(isa, &codes[word], C::win(opponent_plies));
                }
            },
        );
    }

    /// Who wins with the other side to move: the words of what it has lost, then of what it has won.
    pub(super) fn decided(&self, words: &mut [u32]) {
        let (lost, won) = words.split_at_mut(words.len() / 2);
        lost.copy_from_slice(&self.opponent_lost[..lost.len()]);
        won.copy_from_slice(&self.opponent_won[..won.len()]);
    }

    /// Packs the codes of true positions, whose order is that of table files, with the mark of captures.
    pub(super) fn pack<I: Isa>(&self, isa: I, mut file: &mut [C]) {
        isa.vectorize(
            #[inline(always)]
            || {
                for (word, codes) in self.codes.as_chunks::<32>().0.iter().enumerate() {
                    let (valid, mut codes) = (self.valid[word], *codes);
                    let captures = valid & !self.quiet[word];
                    if captures != 0 {
                        let not_lost = C::at_least(isa, &codes, C::NOTHING);
                        let drawn = C::equal(isa, &codes, C::NOTHING);
                        C::paint(isa, &mut codes, captures & !not_lost, C::CAPTURE_LOSS);
                        C::paint(isa, &mut codes, captures & not_lost & !drawn, C::CAPTURE_WIN);
                        C::paint(isa, &mut codes, captures & drawn, C::CAPTURE_NOTHING);
                    }
                    let (packed, count) = (C::compress(isa, &codes, valid), valid.count_ones() as usize);
                    // What comes after the packed codes is overwritten by those of the next word.
                    match file.first_chunk_mut() {
                        Some(room) => *room = packed,
                        None => file[..count].copy_from_slice(&packed[..count]),
                    }
                    file = &mut std::mem::take(&mut file)[count..];
                }
            },
        );
    }

    /// Gives each true position in the order of table files: its cell and, if the side to move cannot capture, its code.
    pub(super) fn each_quiet_code(&self, mut give: impl FnMut(usize, Option<C>)) {
        for (word, (&valid, &quiet)) in self.valid.iter().zip(&self.quiet).enumerate() {
            for bit in Squares(valid) {
                let cell = 32 * word + usize::from(bit.id());
                give(cell, Squares(quiet).contains(bit).then(|| self.codes[cell]));
            }
        }
    }

    /// The reverse of [`Work::pack`] where nothing else is known: takes the codes of positions without captures from the
    /// file's order, and the others from what captures are worth.
    pub(super) fn unpack<I: Isa>(&mut self, isa: I, mut file: &[C]) {
        isa.vectorize(
            #[inline(always)]
            || {
                for (word, codes) in self.codes.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                    let mut rest = self.valid[word];
                    let (now, later) = file.split_at(rest.count_ones() as usize);
                    for &code in now {
                        codes[rest.trailing_zeros() as usize] = code;
                        rest &= rest - 1;
                    }
                    file = later;
                    let captures = self.valid[word] & !self.quiet[word];
                    if captures != 0 {
                        let best = &self.best.as_chunks::<32>().0[word];
                        let drawn = C::equal(isa, best, C::NOTHING);
                        let lost = C::at_least(isa, best, C::NOTHING) & !drawn;
                        C::paint(isa, codes, captures & lost, C::loss(1));
                        C::paint(isa, codes, captures & drawn, C::NOTHING);
                        C::paint(isa, codes, captures & !lost & !drawn, C::win(1));
                    }
                    self.wins[word] = self.valid[word] & C::at_least(isa, codes, C::win(C::MAX_PLIES));
                    self.losses[word] = self.valid[word] & !C::at_least(isa, codes, C::NOTHING);
                }
                self.found.fill(true);
            },
        );
    }

    /// Hands codes that have been packed to the other side, as `opponent_codes` there, which knows only the placement.
    pub(super) fn hand_over_packed<I: Isa>(&mut self, isa: I, boards: [&Board; 2], mut file: &[C], to: &mut Work<C>) {
        self.clear(isa, boards[0]);
        to.clear(isa, boards[1]);
        for (word, codes) in self.codes.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            let mut rest = self.valid[word];
            let (now, later) = file.split_at(rest.count_ones() as usize);
            for code in now {
                codes[rest.trailing_zeros() as usize] = code.without_capture();
                rest &= rest - 1;
            }
            file = later;
        }
        let codes = self.codes.iter().filter(|&&code| code != C::NONE);
        let longest = codes.map(|code| code.plies()).max().unwrap_or(0);
        for layer in 0..=longest {
            isa.vectorize(
                #[inline(always)]
                || {
                    for (word, codes) in self.codes.as_chunks::<32>().0.iter().enumerate() {
                        self.wins[word] = self.valid[word] & C::equal(isa, codes, C::win(layer));
                        self.losses[word] = self.valid[word] & C::equal(isa, codes, C::loss(layer));
                    }
                },
            );
            self.found.fill(true);
            self.hand_over(isa, &boards[0].side.layout, to, &boards[1].side.layout, layer);
        }
    }

    fn quiet_man_moves<'a, I: Isa>(&mut self, isa: I, board: &Board, moved: impl Fn(Placement) -> &'a [C]) {
        for man_move in quiet_man_moves(board.placement) {
            if man_move.promotes() {
                self.promote(isa, board, man_move.others, man_move.to);
                continue;
            }
            let codes = moved(man_move.placement());
            isa.vectorize(
                #[inline(always)]
                || {
                    for (best, &code) in self.best.iter_mut().zip(codes) {
                        *best = (*best).min(code);
                    }
                },
            );
        }
    }

    /// Takes a promotion into account.
    fn promote<I: Isa>(&mut self, isa: I, board: &Board, placement: Placement, king: Squares) {
        let layout = &board.side.layout;
        let Some(child) = board.side.child(true, 0, 0) else { return };
        let decided = child.placement(placement);
        let square: usize = king.first().map_or(0, |square| square.id().into());
        let mut vacant = self.valid.clone();
        for (word, bits) in vacant.iter_mut().enumerate() {
            *bits &= match layout.own_kings {
                0 => layout.opponent.avoiding(square)[word],
                1 => (layout.opponent.padded[word] >> square & 1).wrapping_sub(1) & !(1 << square),
                _ => {
                    let row = word / layout.row_words;
                    (layout.opponent.masks[row] >> square & 1).wrapping_sub(1)
                        & layout.own.avoiding(square)[word % layout.row_words]
                }
            };
        }
        let unit_words = layout.unit_words();
        for unit in 0..layout.units() {
            let start = unit * unit_words;
            let converted = Converted { layout, unit, child: child.layout(), taken: Squares::EMPTY, king };
            let best = &mut self.best.as_chunks_mut().0[start..];
            isa.vectorize(
                #[inline(always)]
                || {
                    converted.each_word(
                        decided,
                        &vacant[start..start + unit_words],
                        #[inline(always)]
                        |word, positions, lost, won| {
                            // What is better than a draw, or than a late win of the other side, stays.
                            let best: &mut [C; 32] = &mut best[word];
                            let drawn = positions & !lost & !won & C::at_least(isa, best, C::NOTHING);
                            C::paint(isa, best, positions & won & C::at_least(isa, best, C::win(0)), C::win(0));
                            C::paint(isa, best, drawn, C::NOTHING);
                            C::paint(isa, best, positions & lost, C::loss(0));
                        },
                    );
                },
            );
        }
    }

    fn unit_captures<I: Isa>(&mut self, isa: I, board: &Board, unit: usize, words: std::ops::Range<usize>) {
        let layout = &board.side.layout;
        self.capture_rows.clear();
        if layout.own_kings > 0 {
            king_captures(isa, board, unit, &mut self.taken_views, &mut self.capture_views);
            let rows = &mut self.capture_rows;
            let views = &mut self.capture_views;
            for (view, row) in
                [(&mut views.can, &mut rows.can), (&mut views.win, &mut rows.win), (&mut views.hold, &mut rows.hold)]
            {
                match layout.views() {
                    None => row.iter_mut().zip(view.iter()).for_each(|(row, view)| *row = *view),
                    Some(views) => isa.vectorize(
                        #[inline(always)]
                        || views.reduce(isa, view, row),
                    ),
                }
            }
        }
        man_captures(isa, board, unit, &self.valid[words.clone()], &mut self.capture_rows);
        let CaptureRows { can, win, hold } = &self.capture_rows;
        isa.vectorize(
            #[inline(always)]
            || {
                let best = self.best.as_chunks_mut().0;
                for (word, ((&can, &win), &hold)) in words.zip(can.iter().zip(win).zip(hold)) {
                    self.quiet[word] = self.valid[word] & !can;
                    C::paint(isa, &mut best[word], can & !hold, C::win(0));
                    C::paint(isa, &mut best[word], can & hold, C::NOTHING);
                    C::paint(isa, &mut best[word], can & win, C::loss(0));
                }
            },
        );
    }

    /// The next layer after this one in which something may be decided, if there is one.
    pub(super) fn next_layer(&self, layer: Option<u32>) -> Option<u32> {
        let following = layer.map_or(0, |layer| layer + 1);
        if self.changed.iter().any(|&changed| changed != 0) {
            return Some(following);
        }
        self.events.iter().copied().min().filter(|&event| event != NEVER)
    }

    /// Decides what is decided in this layer.
    pub(super) fn layer<I: Isa>(&mut self, isa: I, board: &Board, layer: u32) {
        for unit in 0..self.changed.len() {
            let due = layer == 0 || self.events[unit] == layer;
            if due || self.changed[unit] != 0 {
                isa.vectorize(
                    #[inline(always)]
                    || self.unit_layer(isa, board, unit, layer, due),
                );
            }
        }
    }

    #[inline(always)]
    fn unit_layer<I: Isa>(&mut self, isa: I, board: &Board, unit: usize, layer: u32, due: bool) {
        let layout = &board.side.layout;
        let words = unit * layout.unit_words()..(unit + 1) * layout.unit_words();
        let changed = std::mem::take(&mut self.changed[unit]);
        if self.open[words.clone()].iter().all(|&word| word == 0) {
            self.events[unit] = NEVER;
            self.arrived[words].fill(0);
            return;
        }
        let best = self.best.as_chunks::<32>().0;
        if let Some(code) = C::won_in(layer)
            && due
        {
            for word in words.clone() {
                self.wins[word] = C::equal(isa, &best[word], code) & self.open[word];
            }
        }
        if changed & LOSSES != 0 && layout.own_kings > 0 {
            let arrived = &self.arrived[words.clone()];
            if layout.own_kings > 2 && are_few(arrived, layout.view_words() / VIEW_WORDS_OF_ONE) {
                spread_few(board, unit, arrived, &mut self.row);
            } else {
                spread(isa, board, unit, arrived, false, &mut self.views, &mut self.row);
            }
            for (word, reached) in words.clone().zip(&self.row) {
                self.wins[word] |= reached & self.quiet[word] & self.open[word];
            }
        }
        self.arrived[words.clone()].fill(0);
        if due || changed & WINS != 0 {
            let mut any = 0;
            for word in words.clone() {
                // What men moves leave lost since an earlier layer, a king move saved then, and still does if nothing has
                // been won since.
                let lost = if changed & WINS != 0 {
                    C::at_least(isa, &best[word], C::lost_within(layer))
                } else {
                    C::equal(isa, &best[word], C::lost_within(layer))
                };
                self.losses[word] = lost & self.open[word] & !self.wins[word];
                any |= self.losses[word];
            }
            if any != 0 && layout.own_kings > 0 {
                spread(isa, board, unit, &self.opponent_won[words.clone()], true, &mut self.views, &mut self.row);
                for (word, saved) in words.clone().zip(&self.row) {
                    self.losses[word] &= !(saved & self.quiet[word]);
                }
            }
        }
        if layer == 0 && board.side.no_move_wins {
            self.wins[words.clone()].swap_with_slice(&mut self.losses[words.clone()]);
        }
        let mut any = 0;
        let codes = self.codes.as_chunks_mut::<32>().0;
        for word in words.clone() {
            let (wins, losses) = (self.wins[word], self.losses[word]);
            if wins | losses != 0 {
                any |= wins | losses;
                self.open[word] &= !(wins | losses);
                C::paint(isa, &mut codes[word], wins, C::win(layer));
                C::paint(isa, &mut codes[word], losses, C::loss(layer));
            }
        }
        self.found[unit] = any != 0;
        if due {
            let mut least = [C::MAX; 32];
            for best in &best[words] {
                for (least, &best) in least.iter_mut().zip(best) {
                    *least = (*least).min(best.next_event(layer));
                }
            }
            let least = least.iter().fold(C::MAX, |least, &event| least.min(event));
            self.events[unit] = if least == C::MAX { NEVER } else { least.to_u32() };
        }
    }

    /// Hands what this layer has decided to the other side.
    pub(super) fn hand_over<I: Isa>(
        &mut self,
        isa: I,
        layout: &Layout,
        to: &mut Work<C>,
        to_layout: &Layout,
        layer: u32,
    ) {
        if self.found.iter().all(|&found| !found) {
            return;
        }
        isa.vectorize(
            #[inline(always)]
            || {
                let unit_of = |word| word / to_layout.unit_words();
                let codes = to.opponent_codes.as_chunks_mut::<32>().0;
                turn(
                    isa,
                    layout,
                    to_layout,
                    &self.wins,
                    &self.found,
                    &mut self.row,
                    #[inline(always)]
                    |word, bits| {
                        to.opponent_won[word] |= bits;
                        to.changed[unit_of(word)] |= WINS;
                        C::paint(isa, &mut codes[word], bits, C::win(layer));
                    },
                );
                turn(
                    isa,
                    layout,
                    to_layout,
                    &self.losses,
                    &self.found,
                    &mut self.row,
                    #[inline(always)]
                    |word, bits| {
                        to.opponent_lost[word] |= bits;
                        to.arrived[word] |= bits;
                        to.changed[unit_of(word)] |= LOSSES;
                        C::paint(isa, &mut codes[word], bits, C::loss(layer));
                    },
                );
            },
        );
        let unit_words = layout.unit_words();
        for (unit, found) in self.found.iter_mut().enumerate().filter(|(_, found)| **found) {
            self.wins[unit * unit_words..(unit + 1) * unit_words].fill(0);
            self.losses[unit * unit_words..(unit + 1) * unit_words].fill(0);
            *found = false;
        }
    }
}

/// A man move without a capture, as far as it depends on men only.
#[derive(Clone, Copy)]
pub(super) struct QuietManMove {
    /// The men without the one that moves.
    others: Placement,
    to: Squares,
}

impl QuietManMove {
    pub(super) fn promotes(self) -> bool {
        self.to.meets(Color::White.promotion_rank())
    }

    /// The men after a move that does not promote.
    pub(super) fn placement(self) -> Placement {
        Placement { white: self.others.white | self.to, ..self.others }
    }
}

/// White's moves of men to squares without men.
pub(super) fn quiet_man_moves(placement: Placement) -> impl Iterator<Item = QuietManMove> {
    Direction::NORTH.into_iter().flat_map(move |direction| {
        placement.white.iter().filter_map(move |from| {
            let to = Squares::of(from).step(direction) - placement.men();
            let others = Placement { white: placement.white - Squares::of(from), ..placement };
            (!to.is_empty()).then_some(QuietManMove { others, to })
        })
    })
}

/// Runs the layers up to `last`, or until nothing is left to be decided; gives the last in which something was. More than
/// `max_plies` are too long.
pub(super) fn run_layers<I: Isa, C: Cell>(
    isa: I,
    boards: &[Board; 2],
    works: &mut [Work<C>; 2],
    last: u32,
    max_plies: u32,
) -> Result<u32, TooLong> {
    let (mut layer, mut longest) = (None, 0);
    while let Some(next) = works.iter().filter_map(|work| work.next_layer(layer)).min() {
        if next > last {
            break;
        }
        if next > max_plies {
            return Err(TooLong);
        }
        layer = Some(next);
        for (work, board) in works.iter_mut().zip(boards) {
            work.layer(isa, board, next);
        }
        if works.iter().any(|work| work.found.contains(&true)) {
            longest = next;
        }
        let [first, second] = works;
        let layouts = boards.each_ref().map(|board| &board.side.layout);
        first.hand_over(isa, layouts[0], second, layouts[1], next);
        second.hand_over(isa, layouts[1], first, layouts[0], next);
    }
    Ok(longest)
}

/// Turns codes of more plies than these into nothing.
#[inline(always)]
pub(super) fn forget_beyond<I: Isa, C: Cell>(isa: I, codes: &mut [C], plies: u32) {
    for codes in codes.as_chunks_mut().0 {
        let beyond = C::at_least(isa, codes, C::loss(plies + 1)) & !C::at_least(isa, codes, C::win(plies));
        C::paint(isa, codes, beyond, C::NOTHING);
    }
}

/// Marks the cells in which no two pieces overlap.
#[inline(always)]
fn mark_valid(board: &Board, valid: &mut [u32]) {
    let (layout, men) = (&board.side.layout, board.placement.men());
    match layout.own_kings {
        0 => {
            valid.fill(!0);
            if let Some(last) = valid.last_mut() {
                *last >>= 32 * layout.row_words - layout.opponent.masks.len();
            }
            for square in men {
                valid
                    .iter_mut()
                    .zip(layout.opponent.avoiding(square.id().into()))
                    .for_each(|(word, bits)| *word &= bits);
            }
        }
        1 => {
            for (word, &kings) in valid.iter_mut().zip(&layout.opponent.padded) {
                *word = if kings & men.0 == 0 { !(kings | men.0) } else { 0 };
            }
            valid[layout.words..].fill(0);
        }
        _ => {
            for (row, &kings) in valid.chunks_exact_mut(layout.row_words).zip(&layout.opponent.masks) {
                if kings & men.0 != 0 {
                    row.fill(0);
                    continue;
                }
                row.fill(!0);
                if let Some(last) = row.last_mut() {
                    *last >>= 32 * layout.row_words - layout.own.masks.len();
                }
                for square in Squares(kings | men.0) {
                    row.iter_mut().zip(layout.own.avoiding(square.id().into())).for_each(|(word, bits)| *word &= bits);
                }
            }
        }
    }
}

/// The positions of a unit from which a king can slide to one of the `targets`, or to one that is none of them if
/// `inverted`.
#[inline(always)]
fn spread<I: Isa>(
    isa: I,
    board: &Board,
    unit: usize,
    targets: &[u32],
    inverted: bool,
    [view, reached]: &mut [Vec<u32>; 2],
    row: &mut [u32],
) {
    let layout = &board.side.layout;
    match layout.views() {
        None => view[..targets.len()].copy_from_slice(targets),
        Some(views) => views.expand(isa, targets, &mut view[..layout.view_words()]),
    }
    for chunk in 0..board.chunks(unit) {
        let empty = board.empty::<I>(unit, chunk);
        let targets: I::Lanes = lanes(view, chunk);
        let targets = if inverted { empty.minus(targets) } else { empty.and(targets) };
        store(reach(targets, empty), reached, chunk);
    }
    match layout.views() {
        None => row.copy_from_slice(&reached[..row.len()]),
        Some(views) => views.reduce(isa, &mut reached[..layout.view_words()], row),
    }
}

/// A few positions are spread one by one, if the words of the view are so many for each.
const VIEW_WORDS_OF_ONE: usize = 16;

/// Whether no more bits than these are set.
#[inline(always)]
fn are_few(words: &[u32], most: usize) -> bool {
    let mut count = 0;
    for word in words {
        count += word.count_ones() as usize;
    }
    count <= most
}

/// The positions of a unit from which one of at least two kings can slide to one of few `targets`.
#[inline(always)]
fn spread_few(board: &Board, unit: usize, targets: &[u32], row: &mut [u32]) {
    let own = board.side.layout.own;
    let fixed = board.placement.men() | board.opponent_kings(unit);
    row.fill(0);
    for (word, &bits) in targets.iter().enumerate() {
        for bit in Squares(bits) {
            let kings = Squares(own.masks[32 * word + usize::from(bit.id())]);
            for king in kings {
                let others = kings - Squares::of(king);
                for direction in Direction::ALL {
                    for from in Squares::of(king).slide(direction, Squares::ALL - (fixed | others)) {
                        let rank = rank(others | Squares::of(from));
                        row[rank / 32] |= 1 << (rank % 32);
                    }
                }
            }
        }
    }
}

/// Turns the board for all bits of the units that have `found` something: calls `arrive` with each word of the other
/// side's layout that gets bits, and the bits. `row` has room for a row.
#[inline(always)]
fn turn<I: Isa>(
    isa: I,
    layout: &Layout,
    to_layout: &Layout,
    words: &[u32],
    found: &[bool],
    row: &mut [u32],
    mut arrive: impl FnMut(usize, u32),
) {
    if layout.own_kings == 0 || layout.opponent_kings == 0 {
        // Both sides have one row of the same sets.
        let sets = if layout.own_kings == 0 { layout.opponent } else { layout.own };
        if let (32, &[squares]) = (sets.masks.len(), words) {
            row[0] = Squares(squares).flipped().0;
        } else {
            row.fill(0);
            for (word, &bits) in words.iter().enumerate() {
                for bit in Squares(bits) {
                    let flipped = sets.flipped[32 * word + usize::from(bit.id())] as usize;
                    row[flipped / 32] |= 1 << (flipped % 32);
                }
            }
        }
        row.iter().enumerate().filter(|(_, bits)| **bits != 0).for_each(|(word, &bits)| arrive(word, bits));
        return;
    }
    let unit_rows = if layout.own_kings == 1 { ROWS_OF_ONE_KING } else { 1 };
    for (block, rows) in layout.opponent.flipped.chunks(32).enumerate() {
        if rows.iter().all(|&row| !found[row as usize / unit_rows]) {
            continue;
        }
        for column in 0..layout.row_words {
            let mut matrix = [0; 32];
            let mut any = 0;
            for (word, &row) in matrix.iter_mut().zip(rows) {
                *word = words[row as usize * layout.row_words + column];
                any |= *word;
            }
            if any == 0 {
                continue;
            }
            isa.transpose(&mut matrix);
            for (&bits, &row) in matrix.iter().zip(&layout.own.flipped[32 * column..]) {
                if bits != 0 {
                    arrive(row as usize * to_layout.row_words + block, bits);
                }
            }
        }
    }
}

/// Writes a code for all positions of a set.
#[inline(always)]
fn paint<I: Isa, C: Cell>(isa: I, codes: &mut [C], positions: &[u32], code: C) {
    for (codes, &bits) in codes.as_chunks_mut().0.iter_mut().zip(positions) {
        C::paint(isa, codes, bits, code);
    }
}

const _: () = assert!(ROWS_OF_ONE_KING == 32, "a unit of words is as long as a block that is transposed");
