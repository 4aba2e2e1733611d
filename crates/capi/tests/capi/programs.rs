//! The example programs are compiled by the system's compilers, linked with the library and run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;

use bolshak_generate::ScalarSolver;
use bolshak_rules::{Rules, Variant};
use bolshak_tables::Tables;

struct Bench {
    directory: tempfile::TempDir,
}

impl Bench {
    /// Tables of two kings against one and all below.
    fn new() -> Bench {
        let directory = tempfile::tempdir().unwrap();
        let tables = Tables::open(directory.path(), Variant::Russian);
        let slices = ["KKvK".parse().unwrap()];
        bolshak_generate::generate(
            &tables,
            &slices,
            &[Rules::OFFICIAL],
            &ScalarSolver,
            &mut (),
            &AtomicBool::new(false),
        )
        .unwrap();
        Bench { directory }
    }

    fn run(&self, program: &Path, arguments: &[&str]) -> Output {
        Command::new(program)
            .arg(self.directory.path())
            .args(arguments)
            .env("LD_LIBRARY_PATH", libraries())
            .env("DYLD_LIBRARY_PATH", libraries())
            .output()
            .unwrap()
    }

    /// Compiles an example with all warnings as errors. `link` says how the library comes in.
    fn compile(&self, compiler: &str, standard: &str, example: &str, link: &[&str]) -> PathBuf {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let program = self.directory.path().join(format!("{example}{}", link.len()));
        let compiled = Command::new(compiler)
            .args([standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-o"])
            .arg(&program)
            .arg("-I")
            .arg(root.join("include"))
            .arg(root.join("examples").join(example))
            .args(link)
            .output()
            .unwrap_or_else(|error| panic!("this test needs the compiler '{compiler}' on the PATH: {error}"));
        assert!(compiled.status.success(), "{compiler}: {}", String::from_utf8_lossy(&compiled.stderr));
        program
    }
}

/// Where cargo puts the library when it builds this test.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}

fn shared() -> Vec<String> {
    vec![format!("-L{}", libraries().display()), "-lbolshak".to_owned()]
}

fn archive() -> Vec<String> {
    let file = libraries().join("libbolshak.a").display().to_string();
    [&file, "-lpthread", "-ldl", "-lm"].map(str::to_owned).to_vec()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_c_program_probes() {
    let bench = Bench::new();
    for link in [shared(), archive()] {
        let link: Vec<&str> = link.iter().map(String::as_str).collect();
        let program = bench.compile("cc", "-std=c11", "probe.c", &link);

        let answer = bench.run(&program, &["W:WKa1:BKg7"]);
        assert_eq!(text(&answer.stdout), "win 1\na1:h8 win 1\n", "{}", text(&answer.stderr));

        let answer = bench.run(&program, &["W:WKc1:BKh8"]);
        assert!(text(&answer.stdout).starts_with("draw -1\nc1-a3 draw -1\n"), "{}", text(&answer.stdout));
        assert!(text(&answer.stdout).ends_with("\nc1-b2 loss 2\n"), "{}", text(&answer.stdout));

        let answer = bench.run(&program, &["W:WKc1:BKh8", "10", "10", "0"]);
        assert_eq!(text(&answer.stdout), "draw -1\nover by 1.9.1.4\n");

        let answer = bench.run(&program, &["W:WKc1,Kc3,Ke1:BKh8"]);
        assert_eq!(answer.status.code(), Some(1));
        assert!(text(&answer.stderr).contains("not in these tables: KKKvK"), "{}", text(&answer.stderr));

        let answer = bench.run(&program, &["W:WKc2:BKh8"]);
        assert_eq!(answer.status.code(), Some(2));
        assert!(text(&answer.stderr).contains("'c2' is a light square"), "{}", text(&answer.stderr));
    }
}

#[test]
fn a_cpp_program_plays_a_line() {
    let bench = Bench::new();
    let link = shared();
    let link: Vec<&str> = link.iter().map(String::as_str).collect();
    let program = bench.compile("c++", "-std=c++17", "line.cpp", &link);
    let tables = Tables::open(bench.directory.path(), Variant::Russian);
    let longest = tables.statistics("KKvK".parse().unwrap(), &Rules::OFFICIAL).unwrap().unwrap().longest_win().unwrap();

    let line = bench.run(&program, &[&longest.fen]);
    assert!(line.status.success(), "{}", text(&line.stderr));
    let line = text(&line.stdout);
    let converted = line.lines().position(|ply| ply.ends_with("ratio 0 kings 0 road 0")).unwrap();
    assert_eq!(converted + 1, usize::from(longest.distance_plies), "{line}");

    let refused = bench.run(&program, &["W:WKa1"]);
    assert!(text(&refused.stderr).contains("black pieces is missing"), "{}", text(&refused.stderr));
}
