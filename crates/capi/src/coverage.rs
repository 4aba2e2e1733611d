//! What a directory of tables can answer.

use std::ffi::c_char;

use bolshak_tables::Slice;

use crate::arguments::{put_text, reference, text};
use crate::error::{BolshakError, BolshakStatus, Failure, call};
use crate::tables::BolshakTables;

fn names(slices: &[Slice]) -> String {
    slices.iter().map(Slice::to_string).collect::<Vec<_>>().join(" ")
}

fn unreadable(error: std::io::Error) -> Failure {
    Failure::new(BolshakStatus::UnusableTable, format!("the directory of tables: {error}"))
}

/// Writes the names of the slices that have all tables a rule set needs, parted by spaces, in order of solving, closed
/// by NUL. `length`, if not null, gets the length without NUL, also when the text does not fit: call with a `capacity`
/// of 0 first to learn it.
///
/// # Safety
///
/// `tables` is an open handle; `buffer` has room for `capacity` bytes; `length` and `error`, if not null, may be written
/// to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bolshak_covered_slices(
    tables: *const BolshakTables,
    rule_set: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    error: *mut BolshakError,
) -> BolshakStatus {
    let body = || {
        // SAFETY: the caller in C upholds what this function asks for.
        let tables = unsafe { reference("tables", tables)? };
        let slices = tables.0.coverage().map_err(unreadable)?.slices(&tables.rules(rule_set)?);
        // SAFETY: the same.
        unsafe { put_text(&names(&slices), buffer, capacity, length)? };
        Ok(None)
    };
    // SAFETY: the caller in C upholds that `error` may be written to.
    unsafe { call(error, body) }
}

/// Writes the names of the slices whose tables are missing for every state of a slice such as `KKmvKm` to be answered:
/// itself and all that play can come to from there. The text is empty when nothing is missing. See
/// `bolshak_covered_slices` for `buffer`, `capacity` and `length`.
///
/// # Safety
///
/// `tables` is an open handle; `slice` is a text closed by NUL; `buffer` has room for `capacity` bytes; `length` and
/// `error`, if not null, may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bolshak_missing_slices(
    tables: *const BolshakTables,
    rule_set: u32,
    slice: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    error: *mut BolshakError,
) -> BolshakStatus {
    let body = || {
        // SAFETY: the caller in C upholds what this function asks for.
        let (tables, slice) = unsafe { (reference("tables", tables)?, text("slice", slice)?) };
        let slice: Slice = slice.parse().map_err(Failure::invalid)?;
        let missing = tables.0.coverage().map_err(unreadable)?.missing(slice, &tables.rules(rule_set)?);
        // SAFETY: the same.
        unsafe { put_text(&names(&missing), buffer, capacity, length)? };
        Ok(None)
    };
    // SAFETY: the caller in C upholds that `error` may be written to.
    unsafe { call(error, body) }
}
