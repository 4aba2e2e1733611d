//! `arbiter`: verdicts on recorded games.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write, stdin, stdout};
use std::path::Path;

use bolshak_arbiter::pdn::{Reader, Record};
use bolshak_arbiter::{Arbiter, Claim, Detail, Flag, report};
use bolshak_tables::Tables;
use rayon::prelude::*;
use serde::Serialize;

use crate::args::{ArbiterArgs, ClaimArgs, FlagArg, ReportFormat};
use crate::failure::Failure;

/// Games worked on together.
const GAMES: usize = 512;

pub(crate) fn run(args: &ArbiterArgs) -> Result<(), Failure> {
    check_flags(args)?;
    let tables = Tables::open(&args.tables, args.variant);
    let mut arbiter = Arbiter::new(args.variant);
    if !args.rules.is_empty() {
        arbiter = arbiter.with_sets(args.rules.to_vec());
    }
    let arbiter = arbiter.with_oracle(&tables);
    let mut out = BufWriter::new(stdout().lock());
    let mut judged = 0;
    for file in &args.files {
        judged += judge_file(args, &arbiter, file, &mut out)?;
    }
    match args.game {
        Some(game) if judged == 0 => Err(Failure::input(format!("there is no game {game}"))),
        _ => Ok(out.flush()?),
    }
}

/// Refuses what would otherwise be passed over in silence.
fn check_flags(args: &ArbiterArgs) -> Result<(), Failure> {
    let ClaimArgs { claim, side, flag, .. } = &args.claim;
    match (claim, args.adjudicate, side, flag) {
        (None, false, Some(_), _) => Err(Failure::input("--side and --flag go with --claim or --adjudicate")),
        (None, true, Some(_), None) => Err(Failure::input("--adjudicate asks for a side only with --flag fell-before")),
        (None, true, _, Some(FlagArg::FellDuringCheck)) => Err(Failure::input(
            "--flag fell-during-check is for a claim: without one nothing is checked (1.9.2); with --adjudicate a flag \
             fell-before",
        )),
        _ => Ok(()),
    }
}

fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(stdin().lock()));
    }
    let failed = |error| Failure::input(format!("{}: {error}", path.display()));
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(Failure::input(format!("{}: is a directory", path.display())));
    }
    Ok(Box::new(BufReader::new(file)))
}

/// Judges the games of a file, or the one that was asked for. Returns how many were judged.
fn judge_file(args: &ArbiterArgs, arbiter: &Arbiter, path: &Path, out: &mut impl Write) -> Result<usize, Failure> {
    let wanted = |game: usize| args.game.is_none_or(|wanted| wanted == game);
    let mut games = Reader::new(open(path)?).enumerate();
    let mut judged = 0;
    loop {
        let mut part = Vec::with_capacity(GAMES);
        for (number, record) in games.by_ref().take(GAMES) {
            part.push((number + 1, record?));
        }
        if part.is_empty() {
            return Ok(judged);
        }
        part.retain(|(game, _)| wanted(*game));
        judged += part.len();
        if args.format == ReportFormat::Html && judged > 1 {
            return Err(Failure::input("a page shows one game: choose it with --game"));
        }
        let verdicts: Vec<Result<String, Failure>> =
            part.par_iter().map(|(game, record)| judge(args, arbiter, path, *game, record)).collect();
        for verdict in verdicts {
            out.write_all(verdict?.as_bytes())?;
        }
        out.flush()?;
    }
}

fn judge(args: &ArbiterArgs, arbiter: &Arbiter, path: &Path, game: usize, record: &Record) -> Result<String, Failure> {
    if let Some(claim) = claim(args) {
        let verdicts =
            arbiter.claim(record, &claim).map_err(|error| Failure::input(format!("game {game}: {error}")))?;
        let text = || verdicts.to_text(args.language);
        return told(args, path, &Numbered { claim: Some(&verdicts), ..Numbered::<_, ()>::of(game) }, text);
    }
    if args.adjudicate {
        let flag = args.claim.flag.and(args.claim.side).map(|side| side.color());
        let verdicts = arbiter.adjudicate(record, flag);
        let error = verdicts.is_none().then(|| format!("game {game} has no position to adjudicate"));
        let text = || match (&verdicts, &error) {
            (Some(verdicts), _) => verdicts.to_text(args.language),
            (None, error) => error.clone().unwrap_or_default() + "\n",
        };
        let told_game =
            Numbered { adjudication: verdicts.as_ref(), error: error.as_deref(), ..Numbered::<(), _>::of(game) };
        return told(args, path, &told_game, text);
    }
    let verify = |every_ply| arbiter.verify(game, record, if every_ply { Detail::EveryPly } else { Detail::Summary });
    match args.format {
        ReportFormat::Json => line(args, path, verify(args.every_ply)),
        ReportFormat::Html => Ok(report::html(record, &verify(true), args.language)),
        ReportFormat::Text => Ok(verify(args.every_ply).to_text(record, args.language)),
        ReportFormat::Pdn => {
            if let Some(error) = &record.error {
                eprintln!("bolshak: game {game}: {}", error.message(args.language));
            }
            Ok(record.to_pdn() + "\n")
        }
    }
}

/// What was found about one game, in the form that was asked for.
fn told(
    args: &ArbiterArgs,
    path: &Path,
    game: &impl Serialize,
    text: impl FnOnce() -> String,
) -> Result<String, Failure> {
    match args.format {
        ReportFormat::Json => line(args, path, game),
        ReportFormat::Text => Ok(text()),
        ReportFormat::Html | ReportFormat::Pdn => {
            Err(Failure::input("a claim and an adjudication are told as text or json"))
        }
    }
}

/// A claim or an adjudication with the number of its game.
#[derive(Serialize)]
struct Numbered<'e, C: Serialize, A: Serialize> {
    game: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<C>,
    #[serde(skip_serializing_if = "Option::is_none")]
    adjudication: Option<A>,
    /// Why there is none; the file goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'e str>,
}

impl<C: Serialize, A: Serialize> Numbered<'_, C, A> {
    const fn of(game: usize) -> Self {
        Numbered { game, claim: None, adjudication: None, error: None }
    }
}

/// An object on a line of its own, with the file's name where there is more than one file.
fn line(args: &ArbiterArgs, path: &Path, verdict: impl Serialize) -> Result<String, Failure> {
    #[derive(Serialize)]
    struct InFile<V: Serialize> {
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        #[serde(flatten)]
        verdict: V,
    }
    let file = (args.files.len() > 1).then(|| path.display().to_string());
    Ok(serde_json::to_string(&InFile { file, verdict })? + "\n")
}

fn claim(args: &ArbiterArgs) -> Option<Claim> {
    let (article, side, ply) = (args.claim.claim?, args.claim.side?.color(), args.claim.ply?);
    let flag = match args.claim.flag {
        None => Flag::Up,
        Some(FlagArg::FellBefore) => Flag::FellBefore,
        Some(FlagArg::FellDuringCheck) => Flag::FellDuringCheck,
    };
    Some(Claim {
        intended: args.claim.intended.clone(),
        record_presented: !args.claim.no_record,
        flag,
        offers: args.claim.offer.clone(),
        ..Claim::new(article, side, ply)
    })
}
