//! Everything that is known of the jobs: the JSON form, and what the other forms are written from.

use std::fmt;
use std::path::{Path, PathBuf, absolute};

use anyhow::Context;
use bolshak_generate::{Graph, Job, PartRange, Work, part_file};
use bolshak_tables::{Kind, Pair, Slice, Tables};
use indicatif::{HumanBytes, HumanCount, HumanDuration};
use serde::Serialize;

use crate::failure::Failure;

/// A graph of jobs with the commands that do them.
#[derive(Serialize)]
pub(crate) struct Plan {
    pub(crate) variant: &'static str,
    pub(crate) rules: &'static str,
    /// Directory of the tables, as nodes see it.
    pub(crate) tables: String,
    /// Directory of the jobs' logs, which engines may have to make.
    pub(crate) logs: String,
    pub(crate) totals: Totals,
    pub(crate) jobs: Vec<PlannedJob>,
}

/// One job.
#[derive(Serialize)]
pub(crate) struct PlannedJob {
    /// Its place in the list.
    pub(crate) id: usize,
    /// The pair of slices that it makes, with the part of it if it is one, or `kings`.
    pub(crate) name: String,
    /// The part that it solves, or nothing if it makes tables.
    pub(crate) part: Option<String>,
    pub(crate) command: Vec<String>,
    /// The jobs that must be done before.
    pub(crate) after: Vec<usize>,
    /// Files that it reads, from the directory of the tables.
    pub(crate) inputs: Vec<String>,
    /// Files that it makes and that are not there yet.
    pub(crate) outputs: Vec<String>,
    pub(crate) log: String,
    pub(crate) positions: u64,
    pub(crate) cores: u16,
    pub(crate) memory_mebibytes: u64,
    /// Expected time on so many cores.
    pub(crate) seconds: u64,
    /// When to give it up.
    pub(crate) time_limit_minutes: u64,
    /// Time from its start until all that waits for it is done: what is greatest should start first.
    pub(crate) seconds_to_end: u64,
    pub(crate) output_bytes: u64,
    pub(crate) input_bytes: u64,
}

/// All jobs together.
#[derive(Serialize)]
pub(crate) struct Totals {
    pub(crate) jobs: usize,
    pub(crate) positions: u64,
    pub(crate) core_seconds: u64,
    pub(crate) critical_path_seconds: u64,
    pub(crate) most_memory_mebibytes: u64,
    pub(crate) output_bytes: u64,
    pub(crate) input_bytes: u64,
}

impl Plan {
    pub(crate) fn new(graph: &Graph, tables: &Tables, program: Option<PathBuf>) -> Result<Plan, Failure> {
        let program = match program {
            // A name alone is looked up where the job runs.
            Some(name) if name.parent() == Some(Path::new("")) => name,
            Some(program) => absolute(&program).map_err(|error| Failure::Input(format!("--program: {error}")))?,
            None => std::env::current_exe().context("finding this program")?,
        };
        let directory = text(&absolute(tables.directory()).context("finding the tables")?)?;
        let logs = format!("{directory}/{}/.jobs", tables.variant());
        let file = |slice: Slice, kind: Kind| format!("{}/{slice}.{}", tables.variant(), kind.name());
        let missing = |pair: Pair, kind: Kind| {
            pair.slices().filter(move |&slice| !tables.path(slice, &kind).exists()).map(move |slice| file(slice, kind))
        };
        let job = |(id, job): (usize, &Job)| -> Result<PlannedJob, Failure> {
            let estimate = &job.estimate;
            let pair = job.pair;
            let part_file = |part: &PartRange| -> Result<String, Failure> {
                let path = part_file(tables, pair, &graph.rules, part);
                text(path.strip_prefix(tables.directory()).unwrap_or(&path))
            };
            let mut inputs: Vec<String> = job
                .reads
                .iter()
                .flat_map(|&slice| Kind::needed_by(&graph.rules).map(move |kind| file(slice, kind)))
                .collect();
            for part in &job.reads_parts {
                inputs.push(part_file(part)?);
            }
            let tables_of_pair = || Kind::needed_by(&graph.rules).flat_map(|kind| missing(pair, kind)).collect();
            let (name, part, outputs, what) = match &job.work {
                Work::Whole => (pair.to_string(), None, tables_of_pair(), vec![]),
                Work::Merge => (pair.to_string(), None, tables_of_pair(), vec!["--merge".to_owned()]),
                Work::Kings => {
                    let outputs = missing(pair, Kind::Kings(graph.rules)).collect();
                    (format!("{pair}.kings"), None, outputs, vec!["--kings".to_owned()])
                }
                Work::Part(part) => {
                    let (first, end) = part.tasks;
                    let name = format!("{pair}.{}.{first}-{end}", part.level);
                    let what = vec!["--part".to_owned(), part.to_string()];
                    (name, Some(part.to_string()), vec![part_file(part)?], what)
                }
            };
            let mut command = vec![text(&program)?, "slice".to_owned(), pair.to_string()];
            command.extend(what);
            command.extend([
                "--variant".to_owned(),
                tables.variant().to_string(),
                "--rules".to_owned(),
                graph.rules.set.name.to_owned(),
                "--tables".to_owned(),
                directory.clone(),
                "--threads".to_owned(),
                estimate.cores.to_string(),
            ]);
            Ok(PlannedJob {
                id,
                log: format!("{logs}/{name}.log"),
                name,
                part,
                command,
                after: job.after.clone(),
                inputs,
                outputs,
                positions: estimate.positions,
                cores: estimate.cores,
                memory_mebibytes: estimate.memory_bytes.div_ceil(1 << 20),
                seconds: whole_seconds(estimate.time),
                time_limit_minutes: 10 + 3 * whole_seconds(estimate.time).div_ceil(60),
                seconds_to_end: whole_seconds(estimate.time_to_end),
                output_bytes: estimate.table_bytes,
                input_bytes: estimate.input_bytes,
            })
        };
        let jobs = graph.jobs.iter().enumerate().map(job).collect::<Result<Vec<_>, Failure>>()?;
        let totals = Totals {
            jobs: jobs.len(),
            positions: jobs.iter().filter(|job| job.part.is_none()).map(|job| job.positions).sum(),
            core_seconds: jobs.iter().map(|job| job.seconds * u64::from(job.cores)).sum(),
            critical_path_seconds: whole_seconds(graph.critical_path()),
            most_memory_mebibytes: jobs.iter().map(|job| job.memory_mebibytes).max().unwrap_or(0),
            output_bytes: jobs.iter().map(|job| job.output_bytes).sum(),
            input_bytes: jobs.iter().map(|job| job.input_bytes).sum(),
        };
        Ok(Plan {
            variant: tables.variant().name(),
            rules: graph.rules.set.name,
            tables: directory,
            logs,
            totals,
            jobs,
        })
    }
}

fn text(path: &Path) -> Result<String, Failure> {
    let named = || Failure::Input(format!("{}: a plan needs names in UTF-8", path.display()));
    path.to_str().map(str::to_owned).ok_or_else(named)
}

/// So many jobs.
pub(crate) fn jobs(count: usize) -> String {
    if count == 1 { "1 job".to_owned() } else { format!("{} jobs", HumanCount(count as u64)) }
}

/// Rounded up: a job of no time at all is none.
fn whole_seconds(time: std::time::Duration) -> u64 {
    time.as_secs_f64().ceil() as u64
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.jobs == 0 {
            return f.write_str("all tables are there already");
        }
        let time = |seconds| HumanDuration(std::time::Duration::from_secs(seconds)).to_string();
        write!(
            f,
            "{}, {} positions, {:.1} core-hours, {} at least, {} of memory at most for a job, {} to read, {} to write",
            jobs(self.jobs),
            HumanCount(self.positions),
            self.core_seconds as f64 / 3600.0,
            time(self.critical_path_seconds),
            HumanBytes(self.most_memory_mebibytes << 20),
            HumanBytes(self.input_bytes),
            HumanBytes(self.output_bytes)
        )
    }
}
