//! `plan`: what is not made yet as a graph of jobs, in the language of a cluster engine.

mod description;
mod hyperqueue;
mod slurm;
mod snakemake;

use std::io::{Write, stdout};

use anyhow::Context;
use bolshak_generate::{
    Division, Estimate, Graph, GraphError, NodeLimit, NodeLimits, PartRange, SetwiseSolver, part_file,
};
use indicatif::{HumanBytes, HumanDuration};

use crate::args::{PlanArgs, PlanFormat};
use crate::commands::plan::description::{Plan, jobs};
use crate::failure::Failure;

pub(crate) fn run(args: &PlanArgs) -> Result<(), Failure> {
    let (tables, rules) = (args.scope.open(), args.scope.rules());
    let coverage = tables.coverage().with_context(|| format!("reading {}", args.scope.tables.display()))?;
    let solver = SetwiseSolver::default();
    let limits = args.limits();
    let is_made = |pair, part: &PartRange| part_file(&tables, pair, &rules, part).exists();
    let division = limits.map(|limits| Division { limits, is_made: &is_made });
    let graph = Graph::new(&coverage, &args.wanted.slices(), &rules, &solver, args.cores, division, args.kings)
        .map_err(too_many_parts)?;
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
    if let Some(limits) = limits {
        warn_of_excess(&graph, &plan, limits);
    }
    Ok(())
}

/// Says what to raise.
fn too_many_parts(error: GraphError) -> Failure {
    match error {
        GraphError::TooManyParts { limit: NodeLimit::Memory, .. } => {
            Failure::Input(format!("{error}; raise --node-memory"))
        }
        GraphError::TooManyParts { limit: NodeLimit::Time, .. } => {
            Failure::Input(format!("{error}; raise --node-hours"))
        }
        error => error.into(),
    }
}

/// Tells of jobs that no division brings within the limits.
fn warn_of_excess(graph: &Graph, plan: &Plan, limits: NodeLimits) {
    if let Some((count, name, most)) = excess(graph, plan, limits.memory_bytes, |estimate| estimate.memory_bytes) {
        let limit = HumanBytes(limits.memory_bytes);
        eprintln!("warning: beyond {limit} of memory: {}, {name} with {} most of all", jobs(count), HumanBytes(most));
    }
    if let Some((count, name, most)) = excess(graph, plan, limits.time, |estimate| estimate.time) {
        let limit = HumanDuration(limits.time);
        eprintln!("warning: beyond {limit}: {}, {name} with {} most of all", jobs(count), HumanDuration(most));
    }
}

/// How many jobs take more than they may, and the worst of them.
fn excess<'a, T: Ord>(
    graph: &Graph,
    plan: &'a Plan,
    limit: T,
    taken: fn(&Estimate) -> T,
) -> Option<(usize, &'a str, T)> {
    let all = graph.jobs.iter().zip(&plan.jobs);
    let beyond =
        || all.clone().map(|(job, planned)| (taken(&job.estimate), &*planned.name)).filter(|(taken, _)| *taken > limit);
    beyond().max().map(|(taken, name)| (beyond().count(), name, taken))
}
