//! Solvers and the generation of tables.
//!
//! Solvers find what is forced in every position of a pair of slices; [`ScalarSolver`] is the plain one that checks the
//! others. They know nothing of files.

mod code;
mod count;
mod graph;
mod job;
mod kings;
mod kings_job;
mod lock;
mod pair_job;
mod part;
mod part_job;
mod part_store;
mod rates;
mod scalar;
mod schedule;
pub mod setwise;
mod solution;
mod solver;
mod stored;

pub use code::Found;
pub use graph::{Division, Estimate, Graph, GraphError, Job, NodeLimit, NodeLimits, Work};
pub use job::{GenerateError, Making, Progress, Step, StepReport, Wanted, generate, generate_wanted, plan};
pub use kings_job::has_kings_tables;
pub use lock::share_directory;
pub use pair_job::{generate_kings, generate_pair, generate_part, merge_pair};
pub use part::{Levels, Part, PartRange, PartSolver};
pub use part_store::part_file;
pub use scalar::ScalarSolver;
pub use schedule::Schedule;
pub use setwise::SetwiseSolver;
pub use solution::Solution;
pub use solver::{Children, SolveError, Solver, Watch};
