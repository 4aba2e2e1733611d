//! The binary as users and scripts run it.
#![allow(clippy::unwrap_used, reason = "a test that fails here should stop here")]

mod arbiter;
mod arbiter_service;
mod commands;
mod plan;
mod serve;
#[cfg(feature = "object_store")]
mod stage;

use std::path::Path;
use std::process::{Command, Output};

/// Runs the binary on a directory of tables, with this on its standard input.
fn bolshak_with(tables: &Path, args: &[&str], input: &str) -> Output {
    assert_cmd::Command::new(env!("CARGO_BIN_EXE_bolshak"))
        .args(args)
        .env("BOLSHAK_TABLES", tables)
        .write_stdin(input)
        .output()
        .unwrap()
}

fn bolshak(tables: &Path, args: &[&str]) -> Output {
    bolshak_with(tables, args, "")
}

/// The lines that a successful run writes.
fn lines(tables: &Path, args: &[&str]) -> Vec<String> {
    let output = bolshak(tables, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The exit code and what is written to stderr.
fn failure(tables: &Path, args: &[&str]) -> (i32, String) {
    let output = bolshak(tables, args);
    assert!(output.stdout.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stdout));
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap().trim_end().to_owned())
}

/// A directory with all tables up to three pieces under one rule set.
fn small_tables(rules: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    lines(directory.path(), &["generate", "--pieces", "3", "--rules", rules]);
    directory
}

/// A command of the binary to be left running.
fn running(tables: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bolshak"));
    command.args(args).env("BOLSHAK_TABLES", tables);
    command
}
