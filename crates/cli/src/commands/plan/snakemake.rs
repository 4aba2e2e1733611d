//! A plan as a Snakefile: the plan as Snakemake's configuration, then the rules that read it.

use crate::commands::plan::description::Plan;
use crate::failure::Failure;

const RULES: &str = include_str!("../../../../../deploy/cluster/Snakefile");

pub(crate) fn snakefile(plan: &Plan) -> Result<String, Failure> {
    // The rules say so too, but only when they are read.
    let program = plan.jobs.iter().map(|job| &job.command[0]);
    if let Some(name) = program.chain([&plan.tables]).find(|name| name.contains(['{', '}'])) {
        return Err(Failure::Input(format!("{name}: Snakemake cannot work with braces in names")));
    }
    // A JSON text as a JSON string is a Python string too.
    let text = serde_json::to_string(&serde_json::to_string(plan)?)?;
    Ok(format!("import json\n\nconfig.update(json.loads({text}))\n\n{RULES}"))
}
