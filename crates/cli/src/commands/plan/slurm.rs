//! A plan as a script that submits to Slurm.

use std::fmt::Write;

use crate::commands::plan::description::{Plan, jobs};

pub(crate) fn script(plan: &Plan) -> String {
    let mut script = format!(
        "#!/usr/bin/env bash\n\
         # {} of bolshak under '{}'. Arguments are passed on to every sbatch.\n\
         # A job whose inputs failed is dropped; plan again and submit again to go on.\n\
         set -euo pipefail\n\
         mkdir -p {}\n",
        jobs(plan.jobs.len()),
        plan.rules,
        quoted(&plan.logs)
    );
    for job in &plan.jobs {
        let command: Vec<String> = job.command.iter().map(|word| quoted(word)).collect();
        let after: String = job.after.iter().map(|before| format!(":$j{before}")).collect();
        let dependency = if after.is_empty() {
            String::new()
        } else {
            format!(" --dependency=afterok{after} --kill-on-invalid-dep=yes")
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            script,
            "j{id}=$(sbatch --parsable --job-name={name} --ntasks=1 --cpus-per-task={cores} --mem={memory}M \
             --time={minutes} --requeue --open-mode=append --output={log}{dependency} \"$@\" --wrap={command})",
            id = job.id,
            name = job.name,
            cores = job.cores,
            memory = job.memory_mebibytes,
            minutes = job.time_limit_minutes,
            log = quoted(&job.log),
            command = quoted(&format!("exec {}", command.join(" "))),
        );
    }
    script
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-=+:,@".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
