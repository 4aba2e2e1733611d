//! Endgame tables: slices, index, files, exact probes.
