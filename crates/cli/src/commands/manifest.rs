//! `manifest`: the hashes of whole files, written or checked.

use std::io::{Write, stdout};

use anyhow::anyhow;
use bolshak_tables::{CheckedManifest, MANIFEST_NAME, check_manifest, write_manifest};

use crate::args::ManifestArgs;
use crate::commands::generate::use_threads;
use crate::failure::Failure;

pub(crate) fn run(args: &ManifestArgs) -> Result<(), Failure> {
    use_threads(None)?;
    let mut out = stdout().lock();
    if !args.check {
        let tables = write_manifest(&args.tables)?;
        writeln!(out, "{} listed in {}", count(tables), args.tables.join(MANIFEST_NAME).display())?;
        return Ok(());
    }
    let CheckedManifest { listed, unlisted } = check_manifest(&args.tables)?;
    let mut faults = 0;
    for file in &listed {
        match &file.fault {
            None => writeln!(out, "{}\tok", file.name)?,
            Some(fault) => {
                faults += 1;
                writeln!(out, "{}\tFAULT\t{fault}", file.name)?;
            }
        }
    }
    for name in &unlisted {
        writeln!(out, "{name}\tunlisted")?;
    }
    if !unlisted.is_empty() {
        eprintln!("bolshak: not listed in {MANIFEST_NAME}: {}", count(unlisted.len()));
    }
    if faults > 0 {
        return Err(anyhow!("not as {MANIFEST_NAME} has them: {faults} of {}", count(listed.len())).into());
    }
    Ok(())
}

fn count(tables: usize) -> String {
    format!("{tables} table{}", if tables == 1 { "" } else { "s" })
}
