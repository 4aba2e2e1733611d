//! The reader in Python that was written from `docs/FORMAT.md` reads the same.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use bolshak_rules::{Rules, Variant};
use bolshak_tables::{Kind, Query, Slice, SliceIndex, Table, TableError, Tables, Value};

use crate::made::{KINGS_PLIES, add_kings, kinds, seal, tables, with_kings_left};

/// The reader, run with a table.
fn read_in_python(path: &Path) -> Output {
    let python = std::env::var("BOLSHAK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let reader = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/format/read_table.py");
    Command::new(&python).arg(reader).arg(path).output().unwrap()
}

/// Run it as `docs/FORMAT.md` says.
#[test]
#[ignore = "needs a Python with zstandard, xxhash and blake3, named by BOLSHAK_PYTHON"]
fn the_reader_in_python_reads_the_same_cells() {
    let (_directory, tables) = tables(&["KKvK", "KKvKK", "mvKm", "KKvm"]);
    let kings = Kind::Kings(Rules::OFFICIAL);
    add_kings(&tables, "KKvm".parse().unwrap());
    for name in ["KvK", "KKvK", "KvKK", "mvm", "KKvKK", "mvKm", "KKvm"] {
        let slice: Slice = name.parse().unwrap();
        let there = |kind: &Kind| tables.path(slice, kind).exists();
        for kind in kinds().into_iter().chain([kings]).filter(there) {
            let path = tables.path(slice, &kind);
            let output = read_in_python(&path);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let index = tables.index(slice);
            let mut cells = vec![0; index.positions() as usize];
            tables.quiet(slice, &kind, 0, &mut cells).unwrap();
            if kind == kings {
                check_steps(&tables, slice, &String::from_utf8(output.stdout).unwrap());
                continue;
            }
            let mut expected = String::new();
            for (number, cell) in cells.iter().enumerate() {
                let fen = index.position(number as u64).to_fen();
                writeln!(expected, "{number}\t{cell}\t{fen}").unwrap();
            }
            assert!(String::from_utf8(output.stdout).unwrap() == expected, "{}", path.display());
        }
    }
}

/// Each line has, after the position, how long it takes with so many plies left to kings, from the fresh distance or the
/// whole count down to 1, `-` for gone. What is printed of positions with captures may be anything.
fn check_steps(tables: &Tables, slice: Slice, lines: &str) {
    let index = tables.index(slice);
    let mut compared = 0;
    for (number, line) in lines.lines().enumerate() {
        let position = index.position(number as u64);
        let plies = tables.fresh(&Rules::OFFICIAL, &position).unwrap().under_rules.plies().map_or(0, u32::from);
        if plies < 2 || position.can_capture() {
            continue;
        }
        let of_left = (1..plies.min(KINGS_PLIES)).rev().map(|left| {
            let state = with_kings_left(position, left);
            let outcome = tables.probe_outcome(&Rules::OFFICIAL, &state, Query::default()).unwrap();
            match (outcome.value, outcome.distance_plies) {
                (Value::Win | Value::Loss, Some(plies)) => plies.to_string(),
                _ => "-".to_owned(),
            }
        });
        let expected = format!("{number}\t{}\t{}", position.to_fen(), of_left.collect::<Vec<_>>().join(" "));
        assert_eq!(line, expected);
        compared += 1;
    }
    assert_eq!(lines.lines().count() as u64, index.positions());
    assert!(compared > 1000);
}

/// The parts of a table of one page.
struct Parts {
    prefix: [u8; 64],
    header: Vec<u8>,
    dictionary: Vec<u8>,
    page: Vec<u8>,
}

impl Parts {
    fn of(file: &[u8]) -> Parts {
        let number = |at: usize, length: usize| {
            file[at..at + length].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
        };
        let (header, rest) = file[64..].split_at(number(14, 2));
        let (dictionary, _) = rest.split_at(number(16, 4));
        let page = file[64 + header.len() + dictionary.len()..number(32, 8)].to_vec();
        let prefix = file[..64].try_into().unwrap();
        Parts { prefix, header: header.to_vec(), dictionary: dictionary.to_vec(), page }
    }

    fn to_file(&self, name: &str) -> Vec<u8> {
        let Parts { prefix, header, dictionary, page } = self;
        let mut file = [&prefix[..], header, dictionary, page].concat();
        let end = file.len() as u64;
        file.extend([end.to_le_bytes(), [0; 8]].concat());
        file[14..16].copy_from_slice(&(header.len() as u16).to_le_bytes());
        file[16..20].copy_from_slice(&(dictionary.len() as u32).to_le_bytes());
        file[32..40].copy_from_slice(&end.to_le_bytes());
        seal(&mut file, name);
        file
    }

    /// Where the FEN of the longest win begins in the header, behind its length.
    fn fen(&self) -> usize {
        self.header.windows(3).position(|three| three == b"W:W").unwrap()
    }

    /// Gives it two phrases with codes of one bit, and the page these places of chunks, all cells 0.
    fn with_chunks(&mut self, places: [u16; 3], code_bytes: usize) {
        let dictionary = [2, 0, 1, 0, 1, 0, 1, 1, 0b0100];
        self.dictionary = zstd::bulk::compress(&dictionary, 1).unwrap();
        self.page = [&[1][..], &places.map(u16::to_le_bytes).concat(), &[0].repeat(code_bytes)].concat();
    }
}

/// Changes parts of a table.
type Forge<'a> = &'a dyn Fn(&mut Parts);

/// What the library refuses the reader does too, and says so.
#[test]
#[ignore = "needs a Python with zstandard, xxhash and blake3, named by BOLSHAK_PYTHON"]
fn the_reader_in_python_refuses_what_the_library_refuses() {
    let (directory, tables) = tables(&["KvK"]);
    let slice: Slice = "KvK".parse().unwrap();
    let sound = fs::read(tables.path(slice, &Kind::Value)).unwrap();
    let folder = directory.path().join("forged/russian");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("KvK.value");
    // Whether the library reads it, and whether the reader does.
    let read = |name: &str, forge: Forge<'_>| {
        let mut parts = Parts::of(&sound);
        forge(&mut parts);
        fs::remove_file(&path).ok();
        fs::write(&path, parts.to_file(name)).unwrap();
        let opened = Table::open(&path, Variant::Russian, &SliceIndex::new(slice), Kind::Value);
        let library: Result<(), TableError> = opened.and_then(|table| table.verify_page(0));
        let output = read_in_python(&path);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() || told.contains("damaged"), "{told}");
        (library.is_ok(), output.status.success())
    };
    let russian = "russian/KvK.value";
    let digest = "russian".len() + "KvK".len() + "value".len() + 3;
    assert_eq!(read(russian, &|_| ()), (true, true));
    assert_eq!(read(russian, &|parts| parts.with_chunks([256, 512, 768], 3 * 32 + 28)), (true, true));
    let refused: [(&str, Forge<'_>); 14] = [
        ("a chunk that ends early", &|parts| parts.with_chunks([255, 511, 767], 3 * 32 + 29)),
        ("a chunk without cells", &|parts| parts.with_chunks([256, 256, 512], 3 * 32 + 32)),
        ("a byte behind the last code", &|parts| parts.with_chunks([256, 512, 768], 3 * 32 + 29)),
        ("codes of no prefix code", &|parts| {
            let dictionary = [3, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0b10_0100];
            parts.dictionary = zstd::bulk::compress(&dictionary, 1).unwrap();
            parts.page = vec![0; 3];
        }),
        ("a dictionary without phrases", &|parts| parts.dictionary = zstd::bulk::compress(&[0, 0], 1).unwrap()),
        ("a dictionary of empty blocks", &|parts| {
            let dictionary = [1, 0, 1, 0, 1, 0];
            let empty = [0; 3].repeat(100_000);
            let last = [(6 << 3 | 1) as u8, 0, 0];
            parts.dictionary = [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, 6][..], &empty, &last, &dictionary].concat();
            parts.page = vec![0; 3];
        }),
        ("no FEN", &|parts| {
            let fen = parts.fen();
            parts.header[fen + 4] = b'x';
        }),
        ("a FEN of the other side", &|parts| {
            let fen = parts.fen();
            parts.header[fen] = b'B';
        }),
        ("a FEN of another slice", &|parts| {
            let fen = parts.fen();
            parts.header.splice(fen + 3..fen + 3, *b"Ka1,");
            parts.header[fen - 1] += 4;
        }),
        ("a list of too many numbers", &|parts| {
            let list = digest + 32;
            let more = 16_384 - usize::from(parts.header[list]);
            parts.header.splice(list..=list, [&[0x80, 0x80, 1][..], &[0].repeat(more)].concat());
        }),
        ("a long name", &|parts| {
            parts.header.splice(0..8, [&[65][..], &b"r".repeat(65)].concat());
        }),
        ("no name", &|parts| {
            parts.header.splice(0..8, [0]);
        }),
        ("a digest of other rules", &|parts| parts.header[digest] ^= 1),
        ("counts that are too many", &|parts| parts.header[digest + 32 + 1] += 1),
    ];
    for (what, forge) in refused {
        assert_eq!(read(russian, forge), (false, false), "{what}");
    }
    let giveaway = read("giveaway/KvK.value", &|parts| {
        parts.header.splice(0..8, *b"\x08giveaway");
        let rules = Rules { variant: Variant::Giveaway, ..Rules::NONE };
        parts.header[digest + 1..digest + 33].copy_from_slice(&rules.digest());
    });
    assert_eq!(giveaway, (false, false), "a table of another variant");
}
