//! Results as Parquet: the columns of the input, and what was found behind them.
//!
//! `solve`, `rate`, `canon` and `dataset label` come here when their output ends
//! in `.parquet`. Parquet input keeps the types of its columns; of text, columns
//! are text. What is no puzzle has no values, and costs no other row.

use std::path::Path;

use planoku_data::columns::Work;

use crate::exit::{Context, Exit, Failure};
use crate::input::Inputs;

/// True if results go to a Parquet file.
pub fn wanted(output: Option<&Path>) -> bool {
    output.is_some_and(|path| path.extension().is_some_and(|ending| ending == "parquet"))
}

/// Says that Parquet was not built in.
#[cfg(not(feature = "parquet"))]
pub fn run(
    _: Inputs<'_>,
    _: &Path,
    _: &Work,
    _: Option<u16>,
    _: &Context,
) -> Result<Exit, Failure> {
    Err(Failure::bad_input(planoku_data::NO_PARQUET))
}

#[cfg(feature = "parquet")]
pub use built::run;

#[cfg(feature = "parquet")]
mod built {
    use std::fs::File;
    use std::io::BufWriter;

    use planoku_data::Share;
    use planoku_data::arrow::{append, batch};
    use planoku_data::parquet::{ParquetWriter, batches};
    use planoku_data::table::{ColumnValues, Table};
    use planoku_sudoku::text::{Puzzles, fields};

    use super::*;
    use crate::input;
    use crate::output::complain;

    /// Rows of text worked on together.
    const CHUNK: usize = 1 << 13;

    /// Writes the rows of all inputs with the columns of the work.
    pub fn run(
        inputs: Inputs<'_>,
        output: &Path,
        work: &Work,
        threads: Option<u16>,
        context: &Context,
    ) -> Result<Exit, Failure> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.map_or(0, usize::from))
            .build()
            .map_err(|error| Failure::bad_input(format!("cannot start threads: {error}")))?;
        let beside = output.with_extension(format!("{}.partial", std::process::id()));
        let mut sheet = Sheet {
            writer: None,
            beside: &beside,
            share: inputs.share,
            found: 0,
            rows: 0,
            mistakes: 0,
        };
        let done = pool.install(|| -> Result<bool, Failure> {
            for name in inputs.names {
                if !sheet.add(name, work, context)? {
                    return Ok(false);
                }
            }
            Ok(true)
        });
        let finished = sheet.finish();
        let (rows, mistakes) = match (done, finished) {
            (Ok(true), Ok(counts)) => counts,
            (Ok(false), _) => {
                let _ = std::fs::remove_file(&beside);
                complain("stopped by Ctrl-C; nothing is written");
                return Ok(Exit::Stopped);
            }
            (Err(failure), _) | (_, Err(failure)) => {
                let _ = std::fs::remove_file(&beside);
                return Err(failure);
            }
        };
        std::fs::rename(&beside, output)
            .map_err(|error| Failure::cannot_write(&output.display().to_string(), &error))?;
        complain(format_args!(
            "{} written to {}",
            crate::output::counted(rows as usize, "row"),
            output.display()
        ));
        Ok(match mistakes {
            0 => Exit::Done,
            _ => Exit::BadInput,
        })
    }

    struct Sheet<'a> {
        writer: Option<ParquetWriter<BufWriter<File>>>,
        beside: &'a Path,
        share: Option<Share>,
        /// Batches of a Parquet file, or puzzles of a text, so far.
        found: u64,
        rows: u64,
        mistakes: u64,
    }

    impl Sheet<'_> {
        /// Adds the rows of an input; false if Ctrl-C came first.
        fn add(&mut self, name: &str, work: &Work, context: &Context) -> Result<bool, Failure> {
            let path = Path::new(name);
            let bad = |message: String| Failure::bad_input(format!("{name}: {message}"));
            if let Ok(file) = File::open(path)
                && let Some(file) = input::parquet_file(file)
            {
                for batch in batches(file, false).map_err(bad)? {
                    let batch = batch.map_err(|error| bad(error.to_string()))?;
                    if !self.is_wanted() {
                        continue;
                    }
                    let done = append(&batch, None, work, &context.cancel).map_err(bad)?;
                    let Some(done) = done else {
                        return Ok(false);
                    };
                    self.write(&done)?;
                }
                return Ok(true);
            }
            let mut puzzles = Puzzles::new(input::open_rows(path, false)?).keeping_rows();
            loop {
                let table = self.read(&mut puzzles, name);
                if table.rows() == 0 {
                    return Ok(true);
                }
                let batch = batch(&table).map_err(bad)?;
                match append(&batch, Some("puzzle"), work, &context.cancel).map_err(bad)? {
                    Some(done) => self.write(&done)?,
                    None => return Ok(false),
                }
            }
        }

        /// Whether the next batch or puzzle is in the share.
        fn is_wanted(&mut self) -> bool {
            self.found += 1;
            self.share.is_none_or(|share| share.has(self.found - 1))
        }

        /// Some rows of a text as columns.
        fn read<R: std::io::BufRead>(&mut self, puzzles: &mut Puzzles<R>, name: &str) -> Table {
            let mut boards = Vec::new();
            let mut others: Vec<(String, Vec<Option<String>>)> = Vec::new();
            while boards.len() < CHUNK {
                let Some(next) = puzzles.next() else {
                    break;
                };
                if !self.is_wanted() {
                    continue;
                }
                if let Err(error) = &next {
                    self.mistakes += 1;
                    if self.mistakes <= 20 {
                        complain(format_args!("error: {name}:{error}"));
                    }
                }
                if let Some(header) = puzzles.header() {
                    if others.is_empty() {
                        let names = header.names.iter().enumerate();
                        let names = names.filter(|(nth, _)| *nth != header.puzzle);
                        others = names.map(|(_, name)| (name.clone(), Vec::new())).collect();
                    }
                    let mut values = fields(puzzles.row(), header.separator);
                    if header.puzzle < values.len() {
                        values.remove(header.puzzle);
                    }
                    let mut values = values.into_iter();
                    for (_, column) in &mut others {
                        column.push(values.next().filter(|value| !value.is_empty()));
                    }
                }
                boards.push(next.ok().map(|puzzle| puzzle.grid.to_string()));
            }
            let mut table = Table::default();
            table.push("puzzle", ColumnValues::Text(boards));
            for (name, values) in others {
                table.push(name, ColumnValues::Text(values));
            }
            table
        }

        fn write(&mut self, batch: &arrow_array::RecordBatch) -> Result<(), Failure> {
            let writer = match &mut self.writer {
                Some(writer) => writer,
                empty => {
                    let name = self.beside.display().to_string();
                    let cannot = |error| Failure::cannot_write(&name, &error);
                    let file = BufWriter::new(File::create(self.beside).map_err(cannot)?);
                    empty.insert(
                        ParquetWriter::new(file, &batch.schema()).map_err(Failure::bad_input)?,
                    )
                }
            };
            self.rows += batch.num_rows() as u64;
            writer.write(batch).map_err(Failure::bad_input)
        }

        fn finish(self) -> Result<(u64, u64), Failure> {
            let Some(writer) = self.writer else {
                return Err(Failure::bad_input("expected puzzles, found none"));
            };
            let file = writer.finish().map_err(Failure::bad_input)?;
            let name = self.beside.display().to_string();
            let cannot = |error: std::io::Error| Failure::cannot_write(&name, &error);
            file.into_inner()
                .map_err(|error| cannot(error.into_error()))?
                .sync_all()
                .map_err(cannot)?;
            Ok((self.rows, self.mistakes))
        }
    }
}
