//! The command line: reads arguments, calls the libraries, writes text or JSON.

mod args;
mod commands;
mod failure;
mod output;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Command};
use crate::failure::Failure;

fn main() -> ExitCode {
    let done = match Args::try_parse() {
        Ok(args) => run(args.command),
        Err(error) if error.use_stderr() => Err(Failure::usage(&error)),
        Err(help) => help.exit(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Generate(args) => commands::generate::run(&args),
        Command::Plan(args) => commands::plan::run(&args),
        Command::Slice(args) => commands::slice::run(&args),
        #[cfg(feature = "object_store")]
        Command::Stage(args) => commands::stage::run(&args),
        Command::Probe(args) => commands::probe::run(&args),
        Command::Line(args) => commands::line::run(&args),
        Command::Moves(args) => commands::moves::run(&args),
        Command::Perft(args) => commands::perft::run(&args),
        Command::Stats(args) => commands::stats::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Manifest(args) => commands::manifest::run(&args),
        Command::Arbiter(args) => commands::arbiter::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
        Command::Completions(args) => commands::describe::completions(&args),
        Command::Man => commands::describe::man(),
    }
}
