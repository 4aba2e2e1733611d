//! Solvers and the generation of tables.
