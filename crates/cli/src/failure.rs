//! How a command fails, and the exit code for it.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// Why a command did not do what it was asked to.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What the user gave cannot be used: exit code 2.
    Input(String),
    /// A check or a job failed, or tables are not there: exit code 1.
    Job(anyhow::Error),
    /// Whoever read our output has had enough: exit code 0.
    OutputClosed,
}

impl Failure {
    /// Bad input, with what was wrong.
    pub(crate) fn input(error: impl Display) -> Failure {
        Failure::Input(error.to_string())
    }

    /// Bad usage: the first sentence of what the parser of arguments says.
    pub(crate) fn usage(error: &clap::Error) -> Failure {
        let text = error.to_string();
        let paragraph = text.split("\n\n").next().unwrap_or(&text);
        let words: Vec<&str> = paragraph.trim_start_matches("error: ").split_whitespace().collect();
        Failure::Input(format!("{}; see --help", words.join(" ")))
    }

    /// Writes one sentence to stderr and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Failure::Input(sentence) => {
                eprintln!("bolshak: {sentence}");
                ExitCode::from(2)
            }
            Failure::Job(error) => {
                eprintln!("bolshak: {error:#}");
                ExitCode::from(1)
            }
            Failure::OutputClosed => ExitCode::SUCCESS,
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe { Failure::OutputClosed } else { Failure::Job(error.into()) }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        io::Error::from(error).into()
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::Job(error)
    }
}

macro_rules! job_failures {
    ($($error:ty),*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::Job(error.into())
            }
        }
    )*};
}

job_failures!(
    bolshak_generate::GenerateError,
    bolshak_generate::GraphError,
    bolshak_server::ServeError,
    bolshak_tables::ManifestError,
    bolshak_tables::ProbeError,
    bolshak_tables::TableError
);
