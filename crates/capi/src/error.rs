//! How a call tells what went wrong.

use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bolshak_tables::{LookUpError, ProbeError};

/// Bytes of the text of an error, the closing NUL included.
pub const BOLSHAK_MESSAGE_CAPACITY: usize = 512;

/// Bytes of the name of a slice, the closing NUL included.
pub const BOLSHAK_SLICE_CAPACITY: usize = 32;

/// What became of a call.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BolshakStatus {
    /// It was done.
    Ok = 0,
    /// An argument makes no sense: a null pointer, a malformed FEN, counters that cannot be, an unknown name.
    InvalidArgument = 1,
    /// There is no table for the position, or none for one that it can come to. The error names both slices.
    NotInTables = 2,
    /// What is needed is not in memory (asked of `bolshak_probe_resident` only).
    NotResident = 3,
    /// A table is there but cannot be read, is damaged, or was made under another definition of the rules.
    UnusableTable = 4,
    /// The search for an answer went beyond its budget of states.
    Budget = 5,
    /// What is to be written does not fit; the length that is needed was told.
    BufferTooSmall = 6,
    /// A fault of the library itself. Its handles can still be closed.
    Internal = 7,
}

/// What went wrong in one call; owned by the caller. Every function takes a pointer to one, which may be null.
#[repr(C)]
pub struct BolshakError {
    /// One sentence; empty when there is nothing to tell. With `BOLSHAK_STATUS_OK` it is a warning.
    pub message: [c_char; BOLSHAK_MESSAGE_CAPACITY],
    /// With `BOLSHAK_STATUS_NOT_IN_TABLES` the slice of the position asked about, such as `KKmvK`; else empty.
    pub requested: [c_char; BOLSHAK_SLICE_CAPACITY],
    /// With `BOLSHAK_STATUS_NOT_IN_TABLES` the slice that has no table; else empty.
    pub missing: [c_char; BOLSHAK_SLICE_CAPACITY],
}

/// A status with what there is to say about it.
pub(crate) struct Failure {
    pub(crate) status: BolshakStatus,
    pub(crate) message: String,
    slices: Option<(String, String)>,
}

impl Failure {
    pub(crate) fn new(status: BolshakStatus, message: impl ToString) -> Failure {
        Failure { status, message: message.to_string(), slices: None }
    }

    pub(crate) fn invalid(message: impl ToString) -> Failure {
        Failure::new(BolshakStatus::InvalidArgument, message)
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        let message = error.to_string();
        match error {
            ProbeError::LookUp(LookUpError::NotInTables { requested, missing, .. }) => Failure {
                status: BolshakStatus::NotInTables,
                message,
                slices: Some((requested.to_string(), missing.to_string())),
            },
            ProbeError::LookUp(LookUpError::Table(_)) => Failure::new(BolshakStatus::UnusableTable, message),
            ProbeError::Budget { .. } => Failure::new(BolshakStatus::Budget, message),
            ProbeError::Variant { .. } | ProbeError::Cancelled => Failure::new(BolshakStatus::Internal, message),
        }
    }
}

/// A text in a field of fixed length, cut short at a whole character if need be, and closed by NUL.
pub(crate) fn text_field<const N: usize>(text: &str) -> [c_char; N] {
    let mut field = [0; N];
    let fitting = text.floor_char_boundary(N.saturating_sub(1));
    for (slot, byte) in field.iter_mut().zip(text[..fitting].bytes().take_while(|&byte| byte != 0)) {
        *slot = byte as c_char;
    }
    field
}

/// Makes a call: its result becomes a status and, where the caller wants it, an error. A warning may come with success.
///
/// # Safety
///
/// `error` is null or may be written to.
pub(crate) unsafe fn call(
    error: *mut BolshakError,
    body: impl FnOnce() -> Result<Option<String>, Failure>,
) -> BolshakStatus {
    // What a panic may leave half done is only the caller's output, whose content is then unspecified; the tables'
    // locks are taken over by the next who needs them.
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(warning)) => Failure::new(BolshakStatus::Ok, warning.unwrap_or_default()),
        Ok(Err(failure)) => failure,
        Err(_) => Failure::new(BolshakStatus::Internal, "a fault in libbolshak"),
    };
    if !error.is_null() {
        let (requested, missing) = failure.slices.unwrap_or_default();
        let told = BolshakError {
            message: text_field(&failure.message),
            requested: text_field(&requested),
            missing: text_field(&missing),
        };
        // SAFETY: it is not null, and the caller of this function upholds that it may be written to.
        unsafe { error.write(told) };
    }
    failure.status
}
