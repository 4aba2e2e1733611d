//! Jobs of a plan, one after another and at once, make what one run makes.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use bolshak_generate::{GenerateError, SetwiseSolver, generate, generate_pair};
use bolshak_rules::{Rules, Variant};
use bolshak_tables::{Pair, Slice, Tables};

fn open(directory: &Path) -> Tables {
    Tables::open(directory, Variant::Russian)
}

fn job(directory: &Path, pair: Pair) -> Result<(), GenerateError> {
    generate_pair(&open(directory), pair, &Rules::OFFICIAL, &SetwiseSolver::default(), &mut (), &AtomicBool::new(false))
}

fn run(directory: &Path, slices: &[Slice]) -> Result<(), GenerateError> {
    let solver = SetwiseSolver::default();
    generate(&open(directory), slices, &[Rules::OFFICIAL], &solver, &mut (), &AtomicBool::new(false))
}

fn pairs(pieces: u8) -> impl Iterator<Item = Pair> {
    (2..=pieces).flat_map(Pair::all_of)
}

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

#[test]
fn jobs_make_the_same_files_as_one_run() {
    let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    run(whole.path(), &Slice::all_of(3)).unwrap();
    for pair in pairs(3) {
        job(parts.path(), pair).unwrap();
    }
    assert!(files(whole.path()) == files(parts.path()));
}

#[test]
fn a_job_that_is_done_writes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    run(directory.path(), &Slice::all_of(2)).unwrap();
    let times = |directory: &Path| {
        let mut times: Vec<_> = fs::read_dir(directory.join("russian"))
            .unwrap()
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.path().is_file())
            .map(|entry| (entry.path(), entry.metadata().unwrap().modified().unwrap()))
            .collect();
        times.sort();
        times
    };
    let before = times(directory.path());
    for pair in pairs(2) {
        job(directory.path(), pair).unwrap();
    }
    assert_eq!(times(directory.path()), before);
}

#[test]
fn a_job_goes_on_where_a_killed_one_was_left() {
    let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    run(whole.path(), &Slice::all_of(2)).unwrap();
    run(whole.path(), &["KKvK".parse().unwrap()]).unwrap();
    for pair in pairs(2) {
        job(parts.path(), pair).unwrap();
    }
    // The job was killed when some of its tables were in their place, some made, and one half written; of what is
    // not its own, nothing is taken.
    let (there, left) = (parts.path().join("russian"), parts.path().join("russian/.jobs/KKvK/russian"));
    fs::create_dir_all(&left).unwrap();
    let made = |name: &str| whole.path().join("russian").join(name);
    fs::copy(made("KKvK.value"), there.join("KKvK.value")).unwrap();
    fs::copy(made("KvKK.value"), left.join("KvKK.value")).unwrap();
    fs::write(left.join(".half.tmp"), "half").unwrap();
    fs::write(left.join("KvK.value"), "replaced").unwrap();
    job(parts.path(), "KKvK".parse::<Slice>().unwrap().pair()).unwrap();
    assert!(files(whole.path()) == files(parts.path()));
    assert!(!parts.path().join("russian/.jobs/KKvK").exists());
}

#[test]
fn many_may_do_the_same_jobs_at_once() {
    let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    run(whole.path(), &Slice::all_of(3)).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| pairs(3).for_each(|pair| job(parts.path(), pair).unwrap()));
        }
    });
    assert!(files(whole.path()) == files(parts.path()));
}

#[test]
fn a_job_whose_inputs_are_not_there_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let error = job(directory.path(), "KKvK".parse::<Slice>().unwrap().pair()).unwrap_err();
    assert_eq!(error.to_string(), "KKvK is made from KvK, which is not there under 'official'");
}

#[test]
fn a_damaged_table_fails_its_own_job_and_those_that_read_it() {
    let directory = tempfile::tempdir().unwrap();
    run(directory.path(), &Slice::all_of(2)).unwrap();
    let path = directory.path().join("russian/KvK.value");
    let mut bytes = fs::read(&path).unwrap();
    let end = bytes.len() - 1;
    bytes[end] ^= 1;
    fs::write(&path, bytes).unwrap();
    for name in ["KvK", "KKvK"] {
        let error = job(directory.path(), name.parse::<Slice>().unwrap().pair()).unwrap_err().to_string();
        assert!(error.contains(&*path.to_string_lossy()) && error.contains("damaged"), "{error}");
    }
}

#[test]
fn a_table_found_damaged_while_a_job_solves_is_named_by_its_own_name() {
    let directory = tempfile::tempdir().unwrap();
    let pair = "KmvKm".parse::<Slice>().unwrap().pair();
    let inputs: Vec<Slice> =
        Pair::closure(&[pair.first()]).into_iter().filter(|input| *input != pair).flat_map(Pair::slices).collect();
    run(directory.path(), &inputs).unwrap();
    let path = directory.path().join("russian/KvKm.value");
    let mut bytes = fs::read(&path).unwrap();
    let page = bytes.len() * 2 / 3;
    bytes[page] ^= 1;
    fs::write(&path, bytes).unwrap();
    let error = job(directory.path(), pair).unwrap_err().to_string();
    assert!(error.contains(&*path.to_string_lossy()), "{error}");
    // When what is named is gone, the job asks for it.
    fs::remove_file(&path).unwrap();
    assert!(matches!(job(directory.path(), pair), Err(GenerateError::Missing { .. })));
}

#[test]
#[cfg(unix)]
fn a_job_reads_tables_that_are_links_and_makes_no_others() {
    let [whole, linked] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let slice: Slice = "KmvK".parse().unwrap();
    run(whole.path(), &[slice]).unwrap();
    let store = linked.path().join("store");
    fs::create_dir_all(linked.path().join("russian")).unwrap();
    fs::create_dir(&store).unwrap();
    for (name, bytes) in files(whole.path()) {
        if !name.starts_with("KmvK.") {
            fs::write(store.join(&name), bytes).unwrap();
            std::os::unix::fs::symlink(format!("../store/{name}"), linked.path().join("russian").join(&name)).unwrap();
        }
    }
    job(linked.path(), slice.pair()).unwrap();
    assert!(files(whole.path()) == files(linked.path()));
    // A link to nothing is an input that is not there.
    fs::remove_file(linked.path().join("russian/KmvK.value")).unwrap();
    fs::remove_file(store.join("KvK.value")).unwrap();
    assert!(job(linked.path(), slice.pair()).is_err());
    assert!(!store.join("KvK.value").exists() && !linked.path().join("russian/KmvK.value").exists());
}

#[test]
fn jobs_and_whole_runs_keep_out_of_each_others_way() {
    let directory = tempfile::tempdir().unwrap();
    let slice: Slice = "KvK".parse().unwrap();
    run(directory.path(), &[slice]).unwrap();
    let lock = fs::OpenOptions::new().read(true).write(true).open(directory.path().join("russian/.lock")).unwrap();
    lock.lock_shared().unwrap();
    job(directory.path(), slice.pair()).unwrap();
    assert!(matches!(run(directory.path(), &[slice]), Err(GenerateError::Locked(_))));
    lock.unlock().unwrap();
    lock.lock().unwrap();
    assert!(matches!(job(directory.path(), slice.pair()), Err(GenerateError::Locked(_))));
}
