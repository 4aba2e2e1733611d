//! A plan as a job file of HyperQueue (`hq job submit-file`).

use std::collections::BTreeMap;

use anyhow::Context;
use serde::Serialize;

use crate::commands::plan::description::{Plan, PlannedJob};
use crate::failure::Failure;

/// A worker that dies takes its tasks with it: they are started elsewhere, so often.
const CRASH_LIMIT: u32 = 10;

#[derive(Serialize)]
struct JobFile<'a> {
    name: String,
    task: Vec<Task<'a>>,
}

#[derive(Serialize)]
struct Task<'a> {
    id: usize,
    command: &'a [String],
    deps: &'a [usize],
    cwd: &'a str,
    stdout: String,
    stderr: &'a str,
    crash_limit: u32,
    priority: i32,
    request: [Request; 1],
}

#[derive(Serialize)]
struct Request {
    /// Cores, and memory in the unit that HyperQueue finds it in, megabytes.
    resources: BTreeMap<&'static str, u64>,
    /// What must be left of a worker's time.
    time_request: String,
}

pub(crate) fn job_file(plan: &Plan) -> Result<String, Failure> {
    let task = |job: &'_ PlannedJob| Request {
        resources: BTreeMap::from([
            ("cpus", job.cores.into()),
            ("mem", (job.memory_mebibytes << 20).div_ceil(1_000_000)),
        ]),
        time_request: format!("{}m", job.time_limit_minutes),
    };
    let tasks = plan.jobs.iter().map(|job| Task {
        id: job.id,
        command: &job.command,
        deps: &job.after,
        cwd: "/",
        stdout: format!("{}.out", job.log.trim_end_matches(".log")),
        stderr: &job.log,
        crash_limit: CRASH_LIMIT,
        priority: i32::try_from(job.seconds_to_end).unwrap_or(i32::MAX),
        request: [task(job)],
    });
    let file = JobFile { name: format!("bolshak-{}", plan.rules), task: tasks.collect() };
    Ok(toml::to_string(&file).context("writing the job file")?)
}
