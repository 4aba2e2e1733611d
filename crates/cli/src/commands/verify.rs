//! `verify`: checks every table in the directory.

use std::io::{Write, stdout};

use anyhow::anyhow;
use bolshak_tables::{Sample, Verified};

use crate::args::VerifyArgs;
use crate::failure::Failure;

pub(crate) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let (tables, rules) = (args.scope.open(), args.scope.rules());
    let slices = args.scope.slices_of(&tables)?;
    if slices.is_empty() {
        let directory = args.scope.tables.display();
        return Err(anyhow!("{directory} has no {} tables; 'bolshak generate' makes them", rules.variant).into());
    }
    let sample = if args.full { Sample::Full } else { Sample::Positions(args.sample) };
    let mut out = stdout().lock();
    let mut faults = 0;
    for slice in &slices {
        match tables.verify(*slice, &rules, sample) {
            Ok(verified) => {
                let Verified { pages, positions, searched } = verified;
                writeln!(out, "{slice}\tok\t{pages} pages\t{positions} positions\t{searched} searched")?;
            }
            Err(errors) => {
                faults += 1;
                for error in errors {
                    writeln!(out, "{slice}\tFAULT\t{error}")?;
                }
            }
        }
        out.flush()?;
    }
    if faults > 0 {
        return Err(anyhow!("{faults} of {} slices have faults", slices.len()).into());
    }
    Ok(())
}
