//! `plan` and `slice`: every command of a small plan is really run, whatever form it comes in.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{bolshak, failure, lines, small_tables};

/// The tables by name.
fn files(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(directory.join("russian"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

/// A directory that shells and TOML have to quote.
fn awkward_directory(parent: &Path) -> std::path::PathBuf {
    parent.join("it's \"here\" $HOME")
}

fn plan(tables: &Path, pieces: &str, format: &str) -> String {
    lines(tables, &["plan", "--pieces", pieces, "--format", format]).join("\n")
}

fn run(command: &[&str]) {
    let output = Command::new(command[0]).args(&command[1..]).output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_commands_of_a_job_file_make_what_one_run_makes() {
    let parent = tempfile::tempdir().unwrap();
    let tables = awkward_directory(parent.path());
    let text = plan(&tables, "3", "hyperqueue");
    let file: toml::Table = text.parse().unwrap();
    let tasks = file["task"].as_array().unwrap();
    assert_eq!(tasks.len(), 9);
    for (number, task) in tasks.iter().enumerate() {
        assert_eq!(task["id"].as_integer(), Some(number as i64));
        assert!(task["deps"].as_array().unwrap().iter().all(|dep| dep.as_integer().unwrap() < number as i64));
        assert_eq!(task["request"][0]["resources"]["cpus"].as_integer(), Some(1));
        let command: Vec<&str> =
            task["command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        run(&command);
    }
    assert!(files(&tables) == files(small_tables("official").path()));
}

#[test]
#[cfg(unix)]
fn the_slurm_script_submits_jobs_that_make_what_one_run_makes() {
    use std::os::unix::fs::PermissionsExt;

    let parent = tempfile::tempdir().unwrap();
    let tables = awkward_directory(parent.path());
    let script = parent.path().join("submit.sh");
    fs::write(&script, plan(&tables, "3", "slurm")).unwrap();
    // Stands for Slurm: does a job at once, when those it waits for are done, and tells its number.
    let sbatch = parent.path().join("sbatch");
    let stub = r#"#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")"
for word; do
  case $word in
    --dependency=afterok:*) for job in $(tr : ' ' <<< "${word#*:}"); do test -e "done.$job"; done ;;
    --wrap=*) command=${word#--wrap=} ;;
    --account=*) echo "$word" >> accounts ;;
    --output=*) test -d "$(dirname "${word#*=}")" ;;
  esac
done
number=$(find . -name 'done.*' | wc -l)
bash -c "$command" 2> /dev/null
touch "done.$number"
echo "$number"
"#;
    fs::write(&sbatch, stub).unwrap();
    fs::set_permissions(&sbatch, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", parent.path().display(), std::env::var("PATH").unwrap());
    let output = Command::new("bash").arg(&script).arg("--account=draughts").env("PATH", path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_to_string(parent.path().join("accounts")).unwrap().lines().count(), 9);
    assert!(files(&tables) == files(small_tables("official").path()));
}

/// Plans and does every job: it finds what it reads, and leaves what it makes.
fn plan_and_run(tables: &Path, args: &[&str]) -> Vec<serde_json::Value> {
    let text = lines(tables, &[&["plan", "--format", "json"], args].concat()).join("\n");
    let mut plan: serde_json::Value = serde_json::from_str(&text).unwrap();
    let jobs = std::mem::take(plan["jobs"].as_array_mut().unwrap());
    for (number, job) in jobs.iter().enumerate() {
        let list = |name: &str| job[name].as_array().unwrap().clone();
        assert!(list("after").iter().all(|before| before.as_u64().unwrap() < number as u64));
        for input in list("inputs") {
            assert!(tables.join(input.as_str().unwrap()).exists(), "{} reads {input}", job["name"]);
        }
        let command = list("command");
        run(&command.iter().map(|word| word.as_str().unwrap()).collect::<Vec<_>>());
        for output in list("outputs") {
            assert!(tables.join(output.as_str().unwrap()).exists(), "{} makes {output}", job["name"]);
        }
    }
    jobs
}

/// Where a job may take no time at all, pairs with men are divided.
#[test]
fn the_commands_of_a_plan_in_parts_make_what_one_run_makes() {
    let parent = tempfile::tempdir().unwrap();
    let tables = awkward_directory(parent.path());
    let jobs = plan_and_run(&tables, &["--slices", "KmvK", "--parts", "--node-hours", "0.000005"]);
    let parts = jobs.iter().filter(|job| !job["part"].is_null()).count();
    assert!(parts > 20 && parts < jobs.len(), "{parts} of {}", jobs.len());
    let whole = files(small_tables("official").path());
    let made = files(&tables);
    assert!(made.iter().any(|(name, _)| name == "KmvK.official") && made.iter().all(|file| whole.contains(file)));
    assert!(fs::read_dir(tables.join("russian/.parts")).unwrap().next().is_none());
}

#[test]
fn the_commands_of_a_plan_with_king_moves_left_make_what_one_run_makes_by_one_plan() {
    let [whole, planned] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let wanted = ["--slices", "KKKKvm", "--kings"];
    let output = bolshak(whole.path(), &[&["generate"], &wanted[..]].concat());
    let told = String::from_utf8(output.stderr).unwrap();
    let steps: Vec<&str> =
        told.lines().filter_map(|line| line.split_once(" positions solved")).map(|(step, _)| step).collect();
    let jobs = plan_and_run(planned.path(), &wanted);
    assert_eq!(jobs.last().unwrap()["name"], "KKKKvm.kings");
    assert_eq!(jobs.len(), steps.len());
    for (number, step) in (1..).zip(&steps) {
        assert!(step.starts_with(&format!("{number}/{} ", steps.len())), "{told}");
    }
    assert!(steps.last().unwrap().contains("KKKKvm official-kings"), "{told}");
    assert_eq!(told.matches("finished: ").count(), 1, "{told}");

    let made = files(planned.path());
    assert!(made.iter().any(|(name, _)| name == "KKKKvm.official-kings"));
    assert!(made == files(whole.path()));
    assert_eq!(plan_and_run(planned.path(), &wanted), Vec::<serde_json::Value>::new());
    // Those alone that are gone are made again.
    fs::remove_file(planned.path().join("russian/mvKKKK.official-kings")).unwrap();
    let jobs = plan_and_run(planned.path(), &wanted);
    assert_eq!((jobs.len(), &jobs[0]["outputs"]), (1, &serde_json::json!(["russian/mvKKKK.official-kings"])));
    assert!(files(planned.path()) == made);
    // A slice without such tables has none to make; one whose others are not there says so.
    assert_eq!(lines(planned.path(), &["slice", "KKvK", "--kings"]), Vec::<String>::new());
    fs::remove_file(planned.path().join("russian/mvKKKK.official-kings")).unwrap();
    fs::remove_file(planned.path().join("russian/KKKKvm.official")).unwrap();
    let (code, error) = failure(planned.path(), &["slice", "KKKKvm", "--kings"]);
    let expected = "bolshak: KKKKvm is made from KKKKvm, which is not there under 'official'";
    assert_eq!((code, error.as_str()), (1, expected));
}

#[test]
fn parts_that_are_none_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    for part in ["", "3", "0:5-5", "0:0-1-2", "a:0-1"] {
        let (code, error) = failure(directory.path(), &["slice", "KvK", "--part", part]);
        assert!(code == 2 && error.contains("is no part"), "{error}");
    }
    for (args, part) in [(&["--part", "7:0-1"][..], "7:0-1"), (&["--merge"], "0:0-1")] {
        let (code, error) = failure(directory.path(), &[&["slice", "KvK"], args].concat());
        assert_eq!((code, error), (1, format!("bolshak: KvK: part {part} is missing or does not fit")));
    }
    let both = ["slice", "KvK", "--merge", "--part", "0:0-1"];
    let alone = ["plan", "--pieces", "2", "--format", "json", "--node-hours", "3"];
    for args in [&both[..], &alone] {
        assert_eq!(failure(directory.path(), args).0, 2);
    }
}

#[test]
fn json_tells_everything_and_only_what_is_left() {
    let tables = small_tables("official");
    let plan: serde_json::Value = serde_json::from_str(&plan(tables.path(), "4", "json")).unwrap();
    let jobs = plan["jobs"].as_array().unwrap();
    assert_eq!(plan["totals"]["jobs"], jobs.len());
    assert_eq!(plan["totals"]["positions"], 6_209_316);
    let job = jobs.iter().find(|job| job["name"] == "KmvKm").unwrap();
    assert_eq!(
        job["outputs"],
        serde_json::json!(["russian/KmvKm.value", "russian/KmvKm.distance", "russian/KmvKm.official"])
    );
    assert!(job["inputs"].as_array().unwrap().contains(&"russian/KvKm.official".into()));
    let names: Vec<&str> = job["after"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| jobs[id.as_u64().unwrap() as usize]["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["KKvKm"]);
    for job in jobs {
        assert!(job["memory_mebibytes"].as_u64() > Some(0) && job["seconds"].as_u64() > Some(0), "{job}");
    }
}

#[test]
fn a_snakefile_has_the_plan_and_the_rules() {
    let tables = tempfile::tempdir().unwrap();
    let text = plan(tables.path(), "3", "snakemake");
    assert!(text.starts_with("import json\n\nconfig.update(json.loads(\"{\\\"variant\\\":\\\"russian\\\""), "{text}");
    assert!(text.contains("\nrule all:\n"), "{text}");
}

#[test]
fn a_snakefile_quotes_names_for_the_shell_and_refuses_those_it_cannot_work_with() {
    let parent = tempfile::tempdir().unwrap();
    let text = plan(&awkward_directory(parent.path()), "2", "snakemake");
    assert!(text.contains("command=shlex.join(") && text.contains("2>> {log:q}"), "{text}");
    let braces = parent.path().join("a{b}");
    let args = ["plan", "--pieces", "2", "--format", "snakemake"];
    let (code, error) = failure(&braces, &args);
    assert!(code == 2 && error.ends_with("a{b}: Snakemake cannot work with braces in names"), "{error}");
    let (code, error) = failure(parent.path(), &[&args[..], &["--program", "/bin/{x}"]].concat());
    assert!(code == 2 && error.contains("/bin/{x}"), "{error}");
}

#[test]
fn a_plan_names_its_program_by_its_whole_path_or_by_one_word() {
    let directory = tempfile::tempdir().unwrap();
    let program = |name: &str| {
        let text =
            lines(directory.path(), &["plan", "--pieces", "2", "--format", "json", "--program", name]).join("\n");
        serde_json::from_str::<serde_json::Value>(&text).unwrap()["jobs"][0]["command"][0].as_str().unwrap().to_owned()
    };
    assert_eq!(program("bolshak"), "bolshak");
    assert_eq!(program("/usr/bin/bolshak"), "/usr/bin/bolshak");
    assert_eq!(program("bin/bolshak"), std::env::current_dir().unwrap().join("bin/bolshak").to_str().unwrap());
    assert_eq!(failure(directory.path(), &["plan", "--pieces", "2", "--format", "json", "--program", ""]).0, 2);
}

#[test]
fn plans_beyond_what_can_be_are_refused_and_jobs_beyond_limits_are_told() {
    let directory = tempfile::tempdir().unwrap();
    let args = |hours: &'static str| ["plan", "--pieces", "7", "--format", "json", "--parts", "--node-hours", hours];
    let (code, error) = failure(directory.path(), &args("0.000001"));
    assert!(code == 2 && error.ends_with("; raise --node-hours"), "{error}");
    let small = ["plan", "--slices", "KmvK", "--format", "json", "--parts", "--node-memory", "1M"];
    let told = String::from_utf8(bolshak(directory.path(), &small).stderr).unwrap();
    assert!(told.contains("\nwarning: beyond 1.00 MiB of memory: "), "{told}");
    let one = ["plan", "--slices", "KvK", "--format", "json"];
    let told = String::from_utf8(bolshak(directory.path(), &one).stderr).unwrap();
    assert!(told.starts_with("1 job, "), "{told}");
}

#[test]
fn a_part_that_is_made_is_told_and_not_planned_again() {
    let tables = small_tables("official");
    for kind in ["value", "distance", "official"] {
        fs::remove_file(tables.path().join(format!("russian/KmvK.{kind}"))).unwrap();
    }
    let args = ["plan", "--slices", "KmvK", "--format", "json", "--parts", "--node-hours", "0.000005"];
    let planned = || {
        let text = lines(tables.path(), &args).join("\n");
        serde_json::from_str::<serde_json::Value>(&text).unwrap()["jobs"].as_array().unwrap().clone()
    };
    let jobs = planned();
    let part = jobs[0]["part"].as_str().unwrap().to_owned();
    let slice = || String::from_utf8(bolshak(tables.path(), &["slice", "KmvK", "--part", &part]).stderr).unwrap();
    assert_eq!(slice(), format!("part {part} of KmvK is solved\n"));
    assert_eq!(slice(), format!("part {part} of KmvK is there already, or the tables are\n"));
    let left = planned();
    assert_eq!(left.len() + 1, jobs.len());
    assert_eq!(left[0]["name"], jobs[1]["name"]);
}

#[test]
fn nothing_is_planned_when_all_is_there_and_a_slice_that_is_there_is_kept() {
    let tables = small_tables("official");
    let output = bolshak(tables.path(), &["plan", "--pieces", "3", "--format", "json"]);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "all tables are there already\n");
    let output = bolshak(tables.path(), &["slice", "KmvK"]);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "all tables are there already\n");
}

#[test]
fn a_slice_whose_inputs_are_not_there_fails() {
    let tables = tempfile::tempdir().unwrap();
    let (code, message) = failure(tables.path(), &["slice", "KmvK", "--rules", "none"]);
    assert_eq!(
        (code, message.as_str()),
        (1, "bolshak: KmvK is made from KvK, Kvm, mvK and 2 more, which are not there under 'none'")
    );
}
