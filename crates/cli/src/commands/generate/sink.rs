//! Where puzzles that are made go: lines of a format, pictures, or sheets to
//! print.

use std::path::{Path, PathBuf};

use planoku_human::page::{self, Sheet};
use planoku_human::{Rated, Rater};
use planoku_sudoku::text::{self, Format};
use planoku_sudoku::{Grid, Shape};

use super::Args;
use crate::commands::rate;
use crate::exit::Failure;
use crate::output::Output;

/// Takes puzzles one after the other.
pub enum Sink {
    /// As text.
    Lines { out: Output, format: Format },
    /// One picture each.
    Pictures {
        file: PathBuf,
        many: bool,
        count: usize,
    },
    /// Pages to print, which are written at the end.
    Sheets {
        out: Output,
        per_page: usize,
        sheets: Vec<Sheet>,
    },
}

impl Sink {
    pub fn new(args: &Args) -> Result<Sink, Failure> {
        let path = args.output.as_deref();
        let ending = path
            .and_then(Path::extension)
            .map(|ending| ending.to_string_lossy().to_lowercase());
        match (ending.as_deref(), path) {
            (Some("svg"), Some(path)) if args.format.is_none() => Ok(Sink::Pictures {
                file: path.to_path_buf(),
                many: args.n > 1 || args.buckets.is_some(),
                count: 0,
            }),
            (Some("html" | "htm"), _) if args.format.is_none() => Ok(Sink::Sheets {
                out: Output::to(path)?,
                per_page: args.per_page.unwrap_or(4).into(),
                sheets: Vec::new(),
            }),
            _ if args.per_page.is_some() => Err(Failure::bad_input(
                "--per-page is for sheets to print: give -o FILE.html",
            )),
            _ => {
                let mut out = Output::to(path)?;
                let format = args.format.unwrap_or(match out.is_terminal() {
                    true => Format::Boxed,
                    false => Format::Line,
                });
                out.write(text::header(format))?;
                Ok(Sink::Lines { out, format })
            }
        }
    }

    pub fn write(&mut self, puzzle: &Grid, rated: Option<&Rated>) -> Result<(), Failure> {
        match self {
            Sink::Lines { out, format } => {
                let line = text::write(puzzle, *format);
                match (format, rated) {
                    (Format::Line, Some(rated)) => {
                        out.write(&format!("{}  {}\n", line.trim_end(), rate::remark(rated)))
                    }
                    (Format::Jsonl, Some(rated)) => {
                        out.write(&format!("{}\n", rate::object(puzzle, &Ok(rated.clone()))))
                    }
                    _ => out.write(&line),
                }
            }
            Sink::Pictures { file, many, count } => {
                *count += 1;
                let name = match many {
                    true => format!("{}-{count:03}.svg", file.with_extension("").display()),
                    false => file.display().to_string(),
                };
                let mut out = Output::to(Some(Path::new(&name)))?;
                out.write(&text::svg(puzzle, None))?;
                out.flush()
            }
            Sink::Sheets { sheets, .. } => {
                let solution = solution(puzzle)
                    .ok_or_else(|| Failure::fault("a puzzle was made that has no solution"))?;
                let rated = match rated {
                    Some(rated) => Some(rated.clone()),
                    None if puzzle.shape() == Shape::Three => {
                        let run = &mut planoku_engine::Run::limit(1).with_nodes(100_000);
                        Rater::new().rate(puzzle, run).ok()
                    }
                    None => None,
                };
                sheets.push(Sheet {
                    puzzle: puzzle.clone(),
                    solution,
                    rated,
                });
                Ok(())
            }
        }
    }

    pub fn flush(&mut self) -> Result<(), Failure> {
        match self {
            Sink::Lines { out, .. } => out.flush(),
            Sink::Pictures { .. } | Sink::Sheets { .. } => Ok(()),
        }
    }

    /// Everything is made.
    pub fn finish(&mut self) -> Result<(), Failure> {
        if let Sink::Sheets {
            out,
            per_page,
            sheets,
        } = self
        {
            out.write(&page::sheets(sheets, *per_page))?;
            out.flush()?;
        }
        if let Sink::Lines { out, format } = self {
            out.write(text::footer(*format))?;
        }
        self.flush()
    }
}

/// The solution of a puzzle that has one.
pub fn solution(puzzle: &Grid) -> Option<Grid> {
    use planoku_engine::{Engine, Run};
    let outcome = planoku_sudoku::native::Native.solve(puzzle, &mut Run::limit(1));
    outcome.ok()?.answers.into_iter().next()
}
