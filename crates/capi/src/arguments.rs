//! Arguments as C passes them: checked for null, and read or written in one place.
//!
//! That a pointer which is not null points to what it should is for the caller in C to uphold, as the header says of
//! every function.

use std::ffi::{CStr, c_char};
use std::ptr::NonNull;

use crate::error::{BolshakStatus, Failure};

fn null(name: &str) -> Failure {
    Failure::invalid(format!("{name} is a null pointer"))
}

/// # Safety
///
/// `pointer` is null or points to a value that lives and does not change while the reference is used.
pub(crate) unsafe fn reference<'a, T>(name: &str, pointer: *const T) -> Result<&'a T, Failure> {
    // SAFETY: upheld by the caller of this function.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(name))
}

/// # Safety
///
/// `first` is null or points to `count` values that live and do not change while the slice is used.
pub(crate) unsafe fn array<'a, T>(name: &str, first: *const T, count: usize) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    if first.is_null() {
        return Err(null(name));
    }
    if count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Failure::invalid(format!("{name}: {count} items do not fit in memory")));
    }
    // SAFETY: not null and not too long, as was just seen; the rest is upheld by the caller of this function.
    Ok(unsafe { std::slice::from_raw_parts(first, count) })
}

/// # Safety
///
/// `text` is null or points to bytes closed by NUL that live and do not change while the text is used.
pub(crate) unsafe fn text<'a>(name: &str, text: *const c_char) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(null(name));
    }
    // SAFETY: not null, as was just seen; the rest is upheld by the caller of this function.
    let bytes = unsafe { CStr::from_ptr(text) };
    bytes.to_str().map_err(|_| Failure::invalid(format!("{name} is not UTF-8")))
}

/// A place that the caller wants a value in. It may be uninitialised, so that it is only ever written.
pub(crate) struct Place<T>(NonNull<T>);

impl<T> Place<T> {
    /// # Safety
    ///
    /// `pointer` is null or may be written to while the place is used.
    pub(crate) unsafe fn new(name: &str, pointer: *mut T) -> Result<Place<T>, Failure> {
        NonNull::new(pointer).map(Place).ok_or_else(|| null(name))
    }

    pub(crate) fn set(&self, value: T) {
        // SAFETY: who made this place upholds that it may be written to.
        unsafe { self.0.write(value) };
    }
}

/// An array that the caller wants values in.
pub(crate) struct Places<T> {
    first: *mut T,
    capacity: usize,
}

impl<T> Places<T> {
    /// # Safety
    ///
    /// `first` is null or points to room for `capacity` values that may be written to while the places are used.
    pub(crate) unsafe fn new(name: &str, first: *mut T, capacity: usize) -> Result<Places<T>, Failure> {
        if first.is_null() && capacity > 0 { Err(null(name)) } else { Ok(Places { first, capacity }) }
    }

    /// Writes all values from the first place on, or none if they do not fit.
    pub(crate) fn set(&self, values: impl ExactSizeIterator<Item = T>) -> Result<(), Failure> {
        let count = values.len();
        if count > self.capacity {
            let message = format!("there is room for {} items, {count} are to be written", self.capacity);
            return Err(Failure::new(BolshakStatus::BufferTooSmall, message));
        }
        for (place, value) in values.take(count).enumerate() {
            // SAFETY: `place` is below `capacity`; who made these places upholds that there is room for so many.
            unsafe { self.first.add(place).write(value) };
        }
        Ok(())
    }
}

/// Writes a text closed by NUL and tells its length without NUL, also when it does not fit.
///
/// # Safety
///
/// `buffer` is null or has room for `capacity` bytes; `length` is null or may be written to.
pub(crate) unsafe fn put_text(
    text: &str,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Result<(), Failure> {
    if !length.is_null() {
        // SAFETY: not null; the rest is upheld by the caller of this function.
        unsafe { length.write(text.len()) };
    }
    let bytes: Vec<c_char> = text.bytes().chain([0]).map(|byte| byte as c_char).collect();
    // SAFETY: upheld by the caller of this function.
    unsafe { Places::new("buffer", buffer, capacity) }?.set(bytes.into_iter())
}
