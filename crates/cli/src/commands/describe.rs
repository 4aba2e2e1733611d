//! `completions` and `man`: the command line described to shells and to `man`.

use std::io;

use clap::CommandFactory;

use crate::args::{Args, CompletionsArgs};
use crate::failure::Failure;

pub(crate) fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    clap_complete::generate(args.shell, &mut Args::command(), "bolshak", &mut io::stdout().lock());
    Ok(())
}

pub(crate) fn man() -> Result<(), Failure> {
    Ok(clap_mangen::Man::new(Args::command()).render(&mut io::stdout().lock())?)
}
