//! `stage`: tables into and out of object storage, whole files under the same names.
//!
//! Tables are worked with on a file system: a map of an object does not exist. Storage keeps them between runs, and takes
//! them to clusters that share nothing else.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use bolshak_generate::{has_kings_tables, share_directory};
use bolshak_tables::{Kind, Pair, Slice, Tables};
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::buffered::BufWriter;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore, ObjectStoreExt};
use tokio::fs;
use tokio::io::{AsyncWriteExt, copy};

use crate::args::{Direction, StageArgs};
use crate::failure::Failure;

/// Files under way at once.
const FILES: usize = 8;

/// Where tables are kept.
struct Storage {
    store: Arc<dyn ObjectStore>,
    prefix: ObjectPath,
}

/// What was done with a file.
enum Done {
    /// Copied, so many bytes.
    Copied(u64),
    /// There already.
    Kept,
    /// Not where it should come from.
    Absent,
}

pub(crate) fn run(args: &StageArgs) -> Result<(), Failure> {
    let url = url::Url::parse(&args.url).map_err(|error| Failure::Input(format!("'{}': {error}", args.url)))?;
    // Credentials, the region and the endpoint come from the variables that all tools for S3 read.
    let options = std::env::vars().map(|(name, value)| (name.to_ascii_lowercase(), value));
    let (store, prefix) = object_store::parse_url_opts(&url, options)
        .map_err(|error| Failure::Input(format!("'{}': {error}", args.url)))?;
    let storage = Storage { store: store.into(), prefix };
    let (tables, rules) = (args.scope.open(), args.scope.rules());
    let _shared = share_directory(&tables)?;
    let kinds = |pair: Pair| {
        let kings = (args.kings && has_kings_tables(pair, &rules)).then_some(Kind::Kings(rules));
        Kind::needed_by(&rules).chain(kings)
    };
    let files: Vec<(Slice, Kind)> = Pair::closure(&args.wanted.slices())
        .into_iter()
        .flat_map(|pair| kinds(pair).flat_map(move |kind| pair.slices().map(move |slice| (slice, kind))))
        .collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("starting")?;
    let done = runtime.block_on(all(&storage, &tables, args.direction, files))?;

    let (mut copied, mut bytes, mut kept, mut absent) = (0, 0, 0, 0);
    for done in done {
        match done {
            Done::Copied(length) => (copied, bytes) = (copied + 1, bytes + length),
            Done::Kept => kept += 1,
            Done::Absent => absent += 1,
        }
    }
    writeln!(
        stdout(),
        "{copied} tables of {bytes} bytes copied, {kept} were there already, {absent} are not made yet"
    )?;
    Ok(())
}

async fn all(storage: &Storage, tables: &Tables, direction: Direction, files: Vec<(Slice, Kind)>) -> Result<Vec<Done>> {
    stream::iter(files)
        .map(|(slice, kind)| async move {
            let path = tables.path(slice, &kind);
            let name = format!("{}/{slice}.{}", tables.variant(), kind.name());
            let object = storage.prefix.parts().chain(ObjectPath::from(name).parts()).collect::<ObjectPath>();
            match direction {
                Direction::Out => put(&storage.store, &path, &object).await,
                Direction::In => get(&storage.store, &path, &object).await,
            }
            .with_context(|| format!("{} and {object}", path.display()))
            .and_then(|done| match (&done, direction) {
                // What has come is looked at before anybody relies on it.
                (Done::Copied(_), Direction::In) => {
                    tables.table(slice, &kind)?.map(|_| done).ok_or_else(|| anyhow!("{} has gone", path.display()))
                }
                _ => Ok(done),
            })
        })
        .buffer_unordered(FILES)
        .try_collect()
        .await
}

/// The length of an object, or `None` where there is none.
async fn length(store: &Arc<dyn ObjectStore>, object: &ObjectPath) -> Result<Option<u64>> {
    match store.head(object).await {
        Ok(meta) => Ok(Some(meta.size)),
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

async fn put(store: &Arc<dyn ObjectStore>, path: &Path, object: &ObjectPath) -> Result<Done> {
    if !path.try_exists()? {
        return Ok(Done::Absent);
    }
    let mut file = fs::File::from_std(bolshak_tables::open_regular(path)?);
    let bytes = file.metadata().await?.len();
    if length(store, object).await? == Some(bytes) {
        return Ok(Done::Kept);
    }
    // Nothing is seen under the object's name before the end.
    let mut writer = BufWriter::new(Arc::clone(store), object.clone());
    copy(&mut file, &mut writer).await?;
    writer.shutdown().await?;
    Ok(Done::Copied(bytes))
}

async fn get(store: &Arc<dyn ObjectStore>, path: &Path, object: &ObjectPath) -> Result<Done> {
    let Some(bytes) = length(store, object).await? else { return Ok(Done::Absent) };
    if path.try_exists()? {
        return Ok(Done::Kept);
    }
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory).await?;
    }
    let part = part_of(path);
    let mut file = fs::File::create(&part).await?;
    let mut chunks = store.get(object).await?.into_stream();
    while let Some(chunk) = chunks.try_next().await? {
        file.write_all(&chunk).await?;
    }
    file.sync_all().await?;
    fs::rename(&part, path).await?;
    Ok(Done::Copied(bytes))
}

/// Where a file grows until it is whole; a run of `generate` removes what a killed one has left.
fn part_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}
