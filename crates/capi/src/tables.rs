//! Opening and closing tables, and the names of rule sets.

use std::ffi::c_char;

use bolshak_rules::{RuleSet, Rules, Variant};
use bolshak_tables::Tables;

use crate::arguments::{Place, put_text, reference, text};
use crate::error::{BolshakError, BolshakStatus, Failure, call};

/// The tables of one variant in a directory. Any number of threads may ask the same one at once; only closing it must
/// be left to the last.
pub struct BolshakTables(pub(crate) Tables);

const _: () = {
    const fn shared_by_threads<T: Send + Sync>() {}
    shared_by_threads::<BolshakTables>();
};

impl BolshakTables {
    /// The rules that a number from `bolshak_rule_set` names for this variant.
    pub(crate) fn rules(&self, rule_set: u32) -> Result<Rules, Failure> {
        Ok(Rules::new(self.0.variant(), set(rule_set)?))
    }
}

fn set(number: u32) -> Result<RuleSet, Failure> {
    let set = usize::try_from(number).ok().and_then(|number| RuleSet::ALL.get(number));
    set.copied().ok_or_else(|| Failure::invalid(format!("no rule set has the number {number}")))
}

/// The version of the library, such as `0.1.0`. The text lives as long as the library.
#[unsafe(no_mangle)]
pub extern "C" fn bolshak_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// The number of a rule set by its name: `official`, `official-won-position`, `fmjd64`, `classic` or `none`. Numbers
/// hold for one version of the library: ask for them once, when the program starts.
///
/// # Safety
///
/// `name` is a text closed by NUL; `rule_set` and, if not null, `error` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bolshak_rule_set(
    name: *const c_char,
    rule_set: *mut u32,
    error: *mut BolshakError,
) -> BolshakStatus {
    let body = || {
        // SAFETY: the caller in C upholds what this function asks for.
        let (name, rule_set) = unsafe { (text("name", name)?, Place::new("rule_set", rule_set)?) };
        let named: RuleSet = name.parse().map_err(Failure::invalid)?;
        for (number, _) in (0..).zip(RuleSet::ALL).filter(|(_, set)| *set == named) {
            rule_set.set(number);
        }
        Ok(None)
    };
    // SAFETY: the caller in C upholds that `error` may be written to.
    unsafe { call(error, body) }
}

/// The name of a rule set by its number, closed by NUL. Numbers go from 0, without a gap: a greater one than the last is
/// `BOLSHAK_STATUS_INVALID_ARGUMENT`. `length`, if not null, gets the length without NUL, also when it does not fit.
///
/// # Safety
///
/// `buffer` has room for `capacity` bytes; `length` and `error`, if not null, may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bolshak_rule_set_name(
    rule_set: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    error: *mut BolshakError,
) -> BolshakStatus {
    let body = || {
        // SAFETY: the caller in C upholds what this function asks for.
        unsafe { put_text(set(rule_set)?.name, buffer, capacity, length)? };
        Ok(None)
    };
    // SAFETY: the caller in C upholds that `error` may be written to.
    unsafe { call(error, body) }
}

/// Opens the tables of a variant, `russian` or `giveaway`, under a directory. Files are opened when they are first
/// needed, so that this is fast and succeeds where there are none: see `bolshak_covered_slices`. On success `tables` gets
/// a handle, to be closed by `bolshak_tables_close`.
///
/// # Safety
///
/// `directory` and `variant` are texts closed by NUL; `tables` and, if not null, `error` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bolshak_tables_open(
    directory: *const c_char,
    variant: *const c_char,
    tables: *mut *mut BolshakTables,
    error: *mut BolshakError,
) -> BolshakStatus {
    let body = || {
        // SAFETY: the caller in C upholds what this function asks for.
        let (directory, variant, tables) =
            unsafe { (text("directory", directory)?, text("variant", variant)?, Place::new("tables", tables)?) };
        let variant: Variant = variant.parse().map_err(Failure::invalid)?;
        tables.set(Box::into_raw(Box::new(BolshakTables(Tables::open(directory, variant)))));
        Ok(None)
    };
    // SAFETY: the caller in C upholds that `error` may be written to.
    unsafe { call(error, body) }
}

/// Forgets which files are open, so that added and replaced ones are seen. Other threads may ask meanwhile.
///
/// # Safety
///
/// `tables` is an open handle; `error`, if not null, may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bolshak_tables_reload(
    tables: *const BolshakTables,
    error: *mut BolshakError,
) -> BolshakStatus {
    let body = || {
        // SAFETY: the caller in C upholds what this function asks for.
        unsafe { reference("tables", tables)? }.0.reload();
        Ok(None)
    };
    // SAFETY: the caller in C upholds that `error` may be written to.
    unsafe { call(error, body) }
}

/// Closes tables. Null is allowed and does nothing.
///
/// # Safety
///
/// `tables` is null or an open handle that no thread uses now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bolshak_tables_close(tables: *mut BolshakTables) {
    let body = || {
        if !tables.is_null() {
            // SAFETY: it was made by `Box::into_raw` in `bolshak_tables_open`; that it is closed once and not used any
            // more the caller in C upholds.
            drop(unsafe { Box::from_raw(tables) });
        }
        Ok(None)
    };
    // SAFETY: no error is to be written.
    unsafe { call(std::ptr::null_mut(), body) };
}
