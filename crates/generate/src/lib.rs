//! Solvers and the generation of tables.
//!
//! Solvers find what is forced in every position of a pair of slices; [`ScalarSolver`] is the plain one that checks the
//! others. They know nothing of files.

mod job;
mod scalar;
pub mod setwise;
mod solver;

pub use job::{GenerateError, Progress, Step, StepReport, generate, memory_needed, plan};
pub use scalar::ScalarSolver;
pub use setwise::SetwiseSolver;
pub use solver::{Children, Sink, SolveError, Solver};
