//! `plan`: what is not made yet as a graph of jobs, in the language of a cluster engine.

mod description;
mod hyperqueue;
mod slurm;
mod snakemake;

use std::io::{Write, stdout};

use anyhow::Context;
use bolshak_generate::{Graph, SetwiseSolver};

use crate::args::{PlanArgs, PlanFormat};
use crate::commands::plan::description::Plan;
use crate::failure::Failure;

pub(crate) fn run(args: &PlanArgs) -> Result<(), Failure> {
    let (tables, rules) = (args.scope.open(), args.scope.rules());
    let coverage = tables.coverage().with_context(|| format!("reading {}", args.scope.tables.display()))?;
    let solver = SetwiseSolver::default();
    let graph = Graph::new(&coverage, &args.wanted.slices(), &rules, &solver, args.cores, args.limits(), args.kings);
    graph.check(&coverage)?;
    let plan = Plan::new(&graph, &tables, args.program.clone())?;
    let text = match args.format {
        PlanFormat::Hyperqueue => hyperqueue::job_file(&plan)?,
        PlanFormat::Slurm => slurm::script(&plan),
        PlanFormat::Snakemake => snakemake::snakefile(&plan)?,
        PlanFormat::Json => format!("{}\n", serde_json::to_string_pretty(&plan)?),
    };
    stdout().lock().write_all(text.as_bytes())?;
    eprintln!("{}", plan.totals);
    Ok(())
}
