//! A plan as a Snakefile: the plan as Snakemake's configuration, then the rules that read it.

use crate::commands::plan::description::Plan;
use crate::failure::Failure;

const RULES: &str = include_str!("../../../../../deploy/cluster/Snakefile");

pub(crate) fn snakefile(plan: &Plan) -> Result<String, Failure> {
    // A JSON text as a JSON string is a Python string too.
    let text = serde_json::to_string(&serde_json::to_string(plan)?)?;
    Ok(format!("import json\n\nconfig.update(json.loads({text}))\n\n{RULES}"))
}
