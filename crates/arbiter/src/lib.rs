//! Game records and verdicts on draws.
