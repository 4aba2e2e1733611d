//! A directory of tables: opened on first use, safe to ask from many threads.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arc_swap::Guard;
use bolshak_rules::{Move, Over, Position, Rules, Variant};
use quick_cache::sync::Cache;

use crate::codec::{BLOCK_CELLS, Found};
use crate::file::{Kind, Table, TableError};
use crate::index::SliceIndex;
use crate::kings::{UNLISTED_STEPS, WithKingsLeft};
use crate::outcome::{Forced, Outcome, Value};
use crate::refused::{FileVersion, Refused};
use crate::slice::Slice;
use crate::slots::{Opened, Slots};
use crate::statistics::Statistics;

/// Decoded blocks kept in memory, 16 KiB each.
const CACHED_BLOCKS: usize = 1 << 13;

/// Tables of more pieces are not to be expected.
const MOST_PIECES: u32 = 8;

/// The tables of one variant in a directory.
pub struct Tables {
    directory: PathBuf,
    variant: Variant,
    slots: Slots,
    blocks: Cache<(u64, u64), Arc<[u16]>>,
}

impl Opened {
    /// What the block of a position's cell is cached by.
    fn block_key(&self, index: u64) -> (u64, u64) {
        (self.number, index / BLOCK_CELLS as u64)
    }
}

/// Why the tables have no answer.
#[derive(Debug, thiserror::Error)]
pub enum LookUpError {
    /// A table is not there.
    #[error("not in these tables: {} under '{rules}'", needs(*.requested, *.missing, .file.as_deref()))]
    NotInTables {
        /// The slice of the position asked about.
        requested: Slice,
        /// The slice that is not there.
        missing: Slice,
        /// The name of the file that is not there, where the slice has others that these rules need.
        file: Option<String>,
        /// The rule set.
        rules: &'static str,
    },
    /// A table is there but cannot be used.
    #[error(transparent)]
    Table(#[from] Arc<TableError>),
}

fn needs(requested: Slice, missing: Slice, file: Option<&str>) -> String {
    let lacks = file.map_or_else(|| missing.to_string(), str::to_owned);
    if requested == missing { lacks } else { format!("{requested} needs {lacks}") }
}

impl From<TableError> for LookUpError {
    fn from(error: TableError) -> LookUpError {
        LookUpError::Table(Arc::new(error))
    }
}

impl Tables {
    /// The tables of a variant under a directory, which need not exist yet. Files are opened when they are first needed.
    pub fn open(directory: impl Into<PathBuf>, variant: Variant) -> Tables {
        Tables { directory: directory.into(), variant, slots: Slots::new(), blocks: Cache::new(CACHED_BLOCKS) }
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The variant.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Where a table is, or would be.
    pub fn path(&self, slice: Slice, kind: &Kind) -> PathBuf {
        self.directory.join(self.variant.name()).join(format!("{slice}.{}", kind.name()))
    }

    /// Forgets what has been opened, and what could not be, so that replaced files are seen.
    pub fn reload(&self) {
        self.slots.forget_tables();
    }

    /// The index of a slice.
    pub fn index(&self, slice: Slice) -> Arc<SliceIndex> {
        Arc::clone(self.slots.get(slice).index(slice))
    }

    /// A table, or `None` when its file is not there.
    pub fn table(&self, slice: Slice, kind: &Kind) -> Result<Option<Arc<Table>>, TableError> {
        Ok(self.opened(slice, kind)?.as_ref().map(|opened| Arc::clone(&opened.table)))
    }

    pub(crate) fn open_tables(&self) -> impl Iterator<Item = Arc<Opened>> + '_ {
        self.slots.open_tables()
    }

    /// How often a block was found decoded, and how often it was not.
    pub(crate) fn cache_counts(&self) -> (u64, u64) {
        (self.blocks.hits(), self.blocks.misses())
    }

    fn opened(&self, slice: Slice, kind: &Kind) -> Result<Guard<Option<Arc<Opened>>>, TableError> {
        let place = self.slots.known(slice).and_then(|slot| slot.table(kind));
        if let Some(opened) = place.map(|place| place.load()).filter(|opened| opened.is_some()) {
            return Ok(opened);
        }
        let path = self.path(slice, kind);
        // Looked at first: the index of a slice that is not there may be large, and would be kept.
        let version = match std::fs::metadata(&path) {
            Ok(metadata) => FileVersion::of(&metadata),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Guard::from_inner(None)),
            Err(error) => return Err(TableError { path, problem: error.into() }),
        };
        let slot = self.slots.get(slice);
        if let Some(error) = slot.refused(kind).and_then(|place| place.load().as_ref()?.error(&version)) {
            return Err(error);
        }
        let table = Table::open(&path, self.variant, slot.index(slice), *kind).inspect_err(|error| {
            if let Some(place) = slot.refused(kind) {
                place.store(Refused::new(version, error).map(Arc::new));
            }
        })?;
        let opened = Some(Arc::new(Opened { number: next_number(), table: Arc::new(table) }));
        if let Some(place) = slot.table(kind) {
            place.store(opened.clone());
        }
        Ok(Guard::from_inner(opened))
    }

    /// Whether everything for a slice under these rules is there and opens.
    pub fn has(&self, slice: Slice, rules: &Rules) -> Result<bool, TableError> {
        for kind in Kind::needed_by(rules) {
            if self.table(slice, &kind)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What was counted of a slice under these rules, or `None` when it is not there.
    pub fn statistics(&self, slice: Slice, rules: &Rules) -> Result<Option<Statistics>, TableError> {
        if !self.has(slice, rules)? {
            return Ok(None);
        }
        let table = self.table(slice, &Kind::changes(rules).unwrap_or(Kind::Value))?;
        Ok(table.map(|table| table.statistics().clone()))
    }

    /// What is forced in a position without draw rules and, if it is fresh, under these rules. Where the side to move must
    /// capture it follows from what the captures lead to, and the tables of smaller slices are all that is needed.
    ///
    /// # Panics
    ///
    /// When a side has no piece: such positions are in no table.
    pub fn fresh(&self, rules: &Rules, position: &Position) -> Result<Fresh, LookUpError> {
        look_up(&Everywhere(self), rules, position, true)
    }

    /// The value alone, which is much quicker: no table of distances is read.
    ///
    /// # Panics
    ///
    /// When a side has no piece: such positions are in no table.
    pub fn fresh_value(&self, rules: &Rules, position: &Position) -> Result<Value, LookUpError> {
        Ok(look_up(&Everywhere(self), rules, position, false)?.outcome().value)
    }

    /// [`Tables::fresh`] from blocks that are already decoded; `None` where a file would have to be read or where there is
    /// something wrong that [`Tables::fresh`] tells.
    pub(crate) fn fresh_if_resident(&self, rules: &Rules, position: &Position) -> Option<Fresh> {
        look_up(&InMemory(self), rules, position, true).ok()
    }

    /// [`Tables::fresh_value`] from blocks that are already decoded; `None` as in [`Tables::fresh_if_resident`].
    pub(crate) fn fresh_value_if_resident(&self, rules: &Rules, position: &Position) -> Option<Value> {
        Some(look_up(&InMemory(self), rules, position, false).ok()?.outcome().value)
    }

    /// Whether a table of how king moves left matter in a slice is open, so that no file need be looked for.
    pub(crate) fn has_kings_open(&self, rules: &Rules, slice: Slice) -> bool {
        InMemory(self).table(slice, Kind::Kings(*rules), rules).is_ok()
    }

    /// Whether there is a table of how king moves left matter in a slice.
    pub(crate) fn has_kings(&self, rules: &Rules, slice: Slice) -> Result<bool, LookUpError> {
        Ok(self.opened(slice, &Kind::Kings(*rules))?.is_some())
    }

    /// How long it takes with so many plies `left` of the `whole` count of king moves what takes `fresh_plies` in a fresh
    /// position, in which the side to move cannot capture.
    pub(crate) fn with_kings_left(
        &self,
        rules: &Rules,
        position: &Position,
        plies: [u32; 3],
    ) -> Result<WithKingsLeft, LookUpError> {
        with_kings_left(&Everywhere(self), rules, position, plies)
    }

    /// The same from blocks that are already decoded; `None` where a file would have to be read or something is wrong.
    pub(crate) fn with_kings_left_if_resident(
        &self,
        rules: &Rules,
        position: &Position,
        plies: [u32; 3],
    ) -> Option<WithKingsLeft> {
        with_kings_left(&InMemory(self), rules, position, plies).ok()
    }

    /// Asks the operating system to read what [`Tables::fresh`] will need for a position, so that it waits less when it is
    /// called a little later. Where the tables are open it asks for the length of their files and waits for nothing else;
    /// those that are not it opens, which reads their dictionaries and page tables. What is wrong with a table, or missing,
    /// is told by the look-up itself.
    ///
    /// ```
    /// # use std::sync::atomic::AtomicBool;
    /// use bolshak_rules::{Position, Rules, State, Variant};
    /// use bolshak_tables::{Query, Tables, Value};
    ///
    /// # let directory = tempfile::tempdir()?;
    /// let tables = Tables::open(directory.path(), Variant::Russian);
    /// # let (solver, stop) = (bolshak_generate::ScalarSolver, AtomicBool::new(false));
    /// # bolshak_generate::generate(&tables, &["KvK".parse()?], &[Rules::OFFICIAL], &solver, &mut (), &stop)?;
    /// let position = Position::from_fen("W:WKc1:BKh8")?.position;
    /// let children: Vec<Position> = position.legal_moves().iter().map(|mv| position.after(mv)).collect();
    /// for child in &children {
    ///     tables.prefetch(&Rules::OFFICIAL, child);
    /// }
    /// // The engine does something else, and the disk works meanwhile. Then:
    /// for child in children {
    ///     tables.probe_outcome(&Rules::OFFICIAL, &State::fresh(child), Query::default())?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prefetch(&self, rules: &Rules, position: &Position) {
        let Some(slice) = Slice::of(position) else { return };
        if position.can_capture() {
            for mv in position.legal_moves() {
                self.prefetch(rules, &position.after(&mv));
            }
            return;
        }
        for kind in Kind::needed_by(rules) {
            if let Ok(opened) = self.opened(slice, &kind)
                && let Some(opened) = opened.as_ref()
            {
                opened.table.prefetch(self.slots.get(slice).index(slice).index(position));
            }
        }
    }

    /// What is forced in the positions of a slice from number `start` on, in file order. Positions in which one must
    /// capture are looked up one by one, which is slow; [`Tables::quiet`] leaves them out.
    pub fn read(&self, slice: Slice, rules: &Rules, start: u64, values: &mut [Fresh]) -> Result<(), LookUpError> {
        let read = |kind: Kind| -> Result<Vec<u16>, LookUpError> {
            let mut cells = vec![0; values.len()];
            self.needed(slice, &kind, rules)?.table.read(start, &mut cells)?;
            Ok(cells)
        };
        let unchanged = || Ok(vec![0; values.len()]);
        let changes = Kind::changes(rules).map_or_else(unchanged, read)?;
        let cells = [read(Kind::Value)?, read(Kind::Distance)?, changes];
        let index = self.index(slice);
        for (place, fresh) in values.iter_mut().enumerate() {
            let number = start + place as u64;
            let position = index.position(number);
            if position.can_capture() {
                *fresh = self.fresh(rules, &position)?;
                continue;
            }
            let [value, distance, change] = [0, 1, 2].map(|kind: usize| cells[kind][place]);
            *fresh = Fresh::from_cells(rules, value, distance, change)
                .map_err(|kind| meaningless(&Everywhere(self), rules, slice, kind, number))?;
        }
        Ok(())
    }

    /// The cells of one table as they are stored, from position number `start` on. Those of positions in which one must
    /// capture may hold anything.
    pub fn quiet(&self, slice: Slice, kind: &Kind, start: u64, cells: &mut [u16]) -> Result<(), LookUpError> {
        Ok(self.needed(slice, kind, &kind.rules(self.variant))?.table.read(start, cells)?)
    }

    /// A table without which there is no answer under these rules.
    fn needed(&self, slice: Slice, kind: &Kind, rules: &Rules) -> Result<Needed, LookUpError> {
        let opened = self.opened(slice, kind)?;
        if opened.is_none() {
            return Err(self.not_there(slice, kind, rules));
        }
        Ok(Needed(opened))
    }

    #[cold]
    fn not_there(&self, slice: Slice, kind: &Kind, rules: &Rules) -> LookUpError {
        let in_part = Kind::needed_by(rules).any(|other| other != *kind && self.path(slice, &other).exists());
        let file = in_part.then(|| format!("{slice}.{}", kind.name()));
        LookUpError::NotInTables { requested: slice, missing: slice, file, rules: rules.set.name }
    }
}

/// Where cells are looked for.
trait Source {
    /// Why there is none.
    type Error;

    fn tables(&self) -> &Tables;

    /// A table without which there is no answer under these rules.
    fn table(&self, slice: Slice, kind: Kind, rules: &Rules) -> Result<Needed, Self::Error>;

    fn cell(&self, table: &Opened, index: u64) -> Result<u16, Self::Error>;

    /// A cell has no meaning.
    fn meaningless(&self, table: &Opened, index: u64) -> Self::Error;
}

/// In files and in memory.
struct Everywhere<'a>(&'a Tables);

impl Source for Everywhere<'_> {
    type Error = LookUpError;

    fn tables(&self) -> &Tables {
        self.0
    }

    #[inline]
    fn table(&self, slice: Slice, kind: Kind, rules: &Rules) -> Result<Needed, LookUpError> {
        self.0.needed(slice, &kind, rules)
    }

    #[inline]
    fn cell(&self, opened: &Opened, index: u64) -> Result<u16, LookUpError> {
        match opened.table.find(index)? {
            Found::Cell(cell) => Ok(cell),
            Found::InBlock { place } => {
                let decode = || opened.table.block(index).map(Arc::from);
                Ok(self.0.blocks.get_or_insert_with(&opened.block_key(index), decode)?[place])
            }
        }
    }

    fn meaningless(&self, opened: &Opened, index: u64) -> LookUpError {
        opened.table.meaningless(index).into()
    }
}

/// In blocks that are already decoded.
struct InMemory<'a>(&'a Tables);

/// A file would have to be read, or something is wrong that [`Everywhere`] tells.
struct NotInMemory;

impl Source for InMemory<'_> {
    type Error = NotInMemory;

    fn tables(&self) -> &Tables {
        self.0
    }

    fn table(&self, slice: Slice, kind: Kind, _: &Rules) -> Result<Needed, NotInMemory> {
        let place = self.0.slots.known(slice).and_then(|slot| slot.table(&kind)).ok_or(NotInMemory)?;
        Some(place.load()).filter(|opened| opened.is_some()).map(Needed).ok_or(NotInMemory)
    }

    fn cell(&self, opened: &Opened, index: u64) -> Result<u16, NotInMemory> {
        match opened.table.find_if_checked(index).ok_or(NotInMemory)? {
            Found::Cell(cell) => Ok(cell),
            Found::InBlock { place } => Ok(self.0.blocks.get(&opened.block_key(index)).ok_or(NotInMemory)?[place]),
        }
    }

    fn meaningless(&self, _: &Opened, _: u64) -> NotInMemory {
        NotInMemory
    }
}

/// [`Tables::fresh`], or without the distance something of the same value whose distance means nothing.
fn look_up<S: Source>(source: &S, rules: &Rules, position: &Position, with_distance: bool) -> Result<Fresh, S::Error> {
    if position.can_capture() {
        return Fresh::by_captures(rules, position, &mut |after| look_up(source, rules, after, with_distance));
    }
    let slice = Slice::of(position).expect("a position of a slice has pieces on both sides");
    // Looked for even where their cells are not: whether there is an answer must not depend on whether the position is drawn.
    let changes = Kind::changes(rules).map(|kind| source.table(slice, kind, rules)).transpose()?;
    let distances = with_distance.then(|| source.table(slice, Kind::Distance, rules)).transpose()?;
    let values = source.table(slice, Kind::Value, rules)?;
    let index = source.tables().slots.get(slice).index(slice).index(position);
    let value = source.cell(&values, index)?;
    if value == 0 {
        // Rules only add draws: there is nothing here that they could change.
        return Ok(Fresh::NOTHING);
    }
    let change = changes.map_or(Ok(0), |table| source.cell(&table, index))?;
    let distance = distances.map_or(Ok(0), |table| source.cell(&table, index))?;
    Fresh::from_cells(rules, value, distance, change).map_err(|kind| meaningless(source, rules, slice, kind, index))
}

/// The cell of a position in a table of this kind has no meaning.
#[cold]
fn meaningless<S: Source>(source: &S, rules: &Rules, slice: Slice, kind: Kind, index: u64) -> S::Error {
    match source.table(slice, kind, rules) {
        Ok(table) => source.meaningless(&table, index),
        Err(error) => error,
    }
}

/// See [`Tables::with_kings_left`].
fn with_kings_left<S: Source>(
    source: &S,
    rules: &Rules,
    position: &Position,
    plies: [u32; 3],
) -> Result<WithKingsLeft, S::Error> {
    let slice = Slice::of(position).expect("a position of a slice has pieces on both sides");
    let (kind, index) = (Kind::Kings(*rules), source.tables().slots.get(slice).index(slice).index(position));
    let opened = source.table(slice, kind, rules)?;
    match source.cell(&opened, index)? {
        UNLISTED_STEPS => Ok(WithKingsLeft::Between(plies[1].saturating_sub(1), u32::MAX)),
        number => {
            let listed = opened.table.kings_lists().plies(number, plies);
            listed.ok_or_else(|| source.meaningless(&opened, index))
        }
    }
}

/// A table that is there.
struct Needed(Guard<Option<Arc<Opened>>>);

impl std::ops::Deref for Needed {
    type Target = Opened;

    fn deref(&self) -> &Opened {
        self.0.as_ref().expect("only a table that is there is made into this")
    }
}

/// Numbers are never used again, so that the blocks of a replaced table are not taken for those of the new one.
fn next_number() -> u64 {
    static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}

/// What is forced in a position whose counters are all 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fresh {
    /// Without draw rules.
    pub without_rules: Forced,
    /// Under the rules asked about.
    pub under_rules: Forced,
}

impl Fresh {
    /// Neither side can force anything.
    pub const NOTHING: Fresh = Fresh { without_rules: Forced::NOTHING, under_rules: Forced::NOTHING };

    /// The side to move has lost already: nothing is worse.
    pub(crate) const LOST: Fresh = Fresh { without_rules: Forced::loss(0), under_rules: Forced::loss(0) };

    /// What is forced where one must capture follows from what the captures lead to, which `look_up` tells where play goes
    /// on. Nothing is better than a capture that wins: then it is of no account that others could not be looked up. With
    /// more pieces than tables have, the first failure ends it, for there may be very many captures. The recursion is no
    /// deeper than there are pieces to take.
    pub(crate) fn by_captures<E>(
        rules: &Rules,
        position: &Position,
        look_up: &mut dyn FnMut(&Position) -> Result<Fresh, E>,
    ) -> Result<Fresh, E> {
        let (mut best, mut failed) = (Fresh::LOST, None);
        for mv in position.legal_moves() {
            let after = position.after(&mv);
            match Fresh::ended(rules, &after).map_or_else(|| look_up(&after), Ok) {
                Ok(worth) => best = best.max(worth.before(&mv)),
                Err(error) if position.piece_count() > MOST_PIECES => return Err(error),
                Err(error) => failed = failed.or(Some(error)),
            }
            if best.under_rules.is_win() {
                return Ok(best);
            }
        }
        failed.map_or(Ok(best), Err)
    }

    /// What a position is worth that is over because a side has no move or no pieces.
    pub(crate) fn ended(rules: &Rules, position: &Position) -> Option<Fresh> {
        let Over::NoMove { winner } = rules.over_by_no_move(position)? else { return None };
        let forced = if winner == position.turn() { Forced::win(0) } else { Forced::loss(0) };
        Some(Fresh { without_rules: forced, under_rules: forced })
    }

    /// What a move to a position of this worth is worth to the side that makes it.
    pub(crate) fn before(self, mv: &Move) -> Fresh {
        let before = if mv.is_conversion() { Forced::before_conversion } else { Forced::before_quiet_move };
        Fresh { without_rules: before(self.without_rules), under_rules: before(self.under_rules) }
    }

    /// The better of the two, without and under the rules each for itself.
    pub(crate) fn max(self, other: Fresh) -> Fresh {
        Fresh {
            without_rules: self.without_rules.max(other.without_rules),
            under_rules: self.under_rules.max(other.under_rules),
        }
    }

    /// The value and distance.
    pub fn outcome(self) -> Outcome {
        Outcome::new(self.without_rules, self.under_rules)
    }

    /// What the cells of the three kinds of table say together, or the kind whose cell has no meaning. Where nothing is
    /// forced, only the value is looked at: rules could change nothing, and there is nothing to count plies to.
    fn from_cells(rules: &Rules, value: u16, distance: u16, change: u16) -> Result<Fresh, Kind> {
        let forced = match value {
            0 => return Ok(Fresh::NOTHING),
            1 => Forced::win(0),
            2 => Forced::loss(0),
            _ => return Err(Kind::Value),
        };
        let without_rules = at_distance(forced, distance).ok_or(Kind::Distance)?;
        let under_rules = match change {
            0 => without_rules,
            1 => Forced::NOTHING,
            plies => at_distance(forced, plies - 1).ok_or(Kind::Changes(*rules))?,
        };
        Ok(Fresh { without_rules, under_rules })
    }
}

fn at_distance(forced: Forced, plies: u16) -> Option<Forced> {
    match plies {
        // One ply before it there must be a distance too.
        _ if plies >= Forced::MAX_PLIES => None,
        _ if forced.is_win() => Some(Forced::win(plies)),
        _ if forced.is_loss() => Some(Forced::loss(plies)),
        _ => None,
    }
}

/// The cell of a [`Kind::Value`] table.
pub const fn value_cell(without_rules: Forced) -> u16 {
    if without_rules.is_win() {
        1
    } else if without_rules.is_loss() {
        2
    } else {
        0
    }
}

/// The cell of a [`Kind::Distance`] table.
pub fn distance_cell(without_rules: Forced) -> u16 {
    without_rules.plies().unwrap_or(0)
}

/// The cell of a [`Kind::Changes`] table for what is forced without and with the rules.
pub fn change_cell(without_rules: Forced, under_rules: Forced) -> u16 {
    match under_rules.plies() {
        _ if without_rules == under_rules => 0,
        None => 1,
        Some(plies) => plies + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_that_wins_needs_no_other() {
        let position = Position::from_fen("W:Wc3:Bb4,d4").unwrap().position;
        let lefts = ["b4", "d4"].map(|square| square.parse().unwrap());
        for (won, missing) in [(0, 1), (1, 0)] {
            let with = |worth: Fresh| {
                Fresh::by_captures(&Rules::OFFICIAL, &position, &mut |after| {
                    let left = after.occupied();
                    if left.contains(lefts[won]) { Ok(worth) } else { Err(lefts[missing]) }
                })
            };
            let win = Forced::win(1);
            assert_eq!(with(Fresh::LOST), Ok(Fresh { without_rules: win, under_rules: win }));
            assert_eq!(with(Fresh::NOTHING), Err(lefts[missing]));
            let cursed = Fresh { without_rules: Forced::loss(0), ..Fresh::NOTHING };
            assert_eq!(with(cursed), Err(lefts[missing]), "under the rules the other may win");
        }
    }

    #[test]
    fn cells_tell_no_distance_that_a_move_before_it_would_exceed() {
        let longest = Forced::MAX_PLIES - 1;
        let cells = |value, distance, change| Fresh::from_cells(&Rules::OFFICIAL, value, distance, change);
        let fresh = cells(2, longest, 0).unwrap();
        assert_eq!(fresh.under_rules.before_quiet_move(), Forced::win(Forced::MAX_PLIES));
        assert_eq!(cells(1, longest, longest + 1).unwrap().under_rules, Forced::win(longest));
        for distance in [Forced::MAX_PLIES, u16::MAX] {
            assert_eq!(cells(1, distance, 0), Err(Kind::Distance));
        }
        for change in [Forced::MAX_PLIES + 1, u16::MAX] {
            assert_eq!(cells(1, 5, change), Err(Kind::Changes(Rules::OFFICIAL)));
            assert_eq!(cells(0, u16::MAX, change), Ok(Fresh::NOTHING));
        }
        assert_eq!(cells(3, 0, 0), Err(Kind::Value));
    }
}
