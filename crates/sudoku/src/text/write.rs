//! Every format, written. Reading back what is written here gives the same
//! board; a property test holds us to it.

use std::fmt;
use std::str::FromStr;

use planoku_engine::UnknownName;

use super::opensudoku;
use crate::{Cell, Grid};

/// How puzzles are written to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// One board a line: the form every tool exchanges.
    Line,
    /// One row a line.
    Rows,
    /// Rows, with boxes set apart by `|` and `-`.
    Boxed,
    /// SadMan's `.sdk`.
    Sdk,
    /// SimpleSudoku's `.ss`.
    Ss,
    /// A `.sdm` list: one board a line, `0` for blanks.
    Sdm,
    /// CSV with the header `puzzle`.
    Csv,
    /// JSON Lines with the member `puzzle`.
    Jsonl,
    /// Rows with a comma between cells, numbers beyond 9 written out.
    Commas,
    /// OpenSudoku's XML, `0` for blanks.
    OpenSudoku,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 10] = [
        Format::Line,
        Format::Rows,
        Format::Boxed,
        Format::Sdk,
        Format::Ss,
        Format::Sdm,
        Format::Csv,
        Format::Jsonl,
        Format::Commas,
        Format::OpenSudoku,
    ];

    /// The word a user says.
    pub fn name(self) -> &'static str {
        match self {
            Format::Line => "line",
            Format::Rows => "rows",
            Format::Boxed => "boxed",
            Format::Sdk => "sdk",
            Format::Ss => "ss",
            Format::Sdm => "sdm",
            Format::Csv => "csv",
            Format::Jsonl => "jsonl",
            Format::Commas => "commas",
            Format::OpenSudoku => "opensudoku",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Format, UnknownName> {
        Format::ALL
            .into_iter()
            .find(|format| format.name() == name)
            .ok_or_else(|| {
                let names = Format::ALL.map(Format::name).join(", ");
                UnknownName::new(format!("one of {names}"), name)
            })
    }
}

/// What a file of this format begins with, before its first puzzle.
pub fn header(format: Format) -> &'static str {
    match format {
        Format::Csv => "puzzle\n",
        Format::OpenSudoku => opensudoku::HEADER,
        _ => "",
    }
}

/// What a file of this format ends with, after its last puzzle.
pub fn footer(format: Format) -> &'static str {
    match format {
        Format::OpenSudoku => opensudoku::FOOTER,
        _ => "",
    }
}

/// One puzzle as this format writes it. Puzzles of any format can be written
/// one after the other; every one ends with a line end.
///
/// ```
/// use planoku_sudoku::text::{Format, write};
///
/// let grid = "1...............".parse().unwrap();
/// assert_eq!(write(&grid, Format::Boxed), "1.|..\n..|..\n--+--\n..|..\n..|..\n\n");
/// ```
pub fn write(grid: &Grid, format: Format) -> String {
    match format {
        Format::Line => format!("{grid}\n"),
        Format::Sdm => format!("{}\n", grid.to_string().replace('.', "0")),
        Format::OpenSudoku => {
            format!(
                "  <game data=\"{}\" />\n",
                grid.to_string().replace('.', "0")
            )
        }
        Format::Csv => format!("{grid}\n"),
        Format::Jsonl => format!("{{\"puzzle\":\"{grid}\"}}\n"),
        Format::Rows => rows(grid) + "\n",
        Format::Sdk => format!("[Puzzle]\n{}\n", rows(grid)),
        Format::Commas => by_row(grid, ",", |cell| {
            grid.get(cell)
                .map_or(String::new(), |digit| digit.get().to_string())
        }),
        Format::Boxed => boxed(grid, "", "+", "-") + "\n",
        Format::Ss => {
            let across = grid.shape().side() / grid.shape().box_columns();
            let frame = "-".repeat(grid.shape().side() + across - 1);
            format!("*{frame}*\n{}*{frame}*\n", boxed(grid, "|", "+", "-"))
        }
    }
}

/// The symbol of a cell, `.` for a blank.
fn symbol(grid: &Grid, cell: Cell) -> String {
    grid.get(cell)
        .map_or(".".to_string(), |digit| digit.to_string())
}

/// One row a line. Sixteen cells in a line are a small board unless they are
/// set apart, so large boards get spaces.
fn rows(grid: &Grid) -> String {
    let gap = if grid.shape().side() > 9 { " " } else { "" };
    by_row(grid, gap, |cell| symbol(grid, cell))
}

fn by_row(grid: &Grid, gap: &str, text: impl Fn(Cell) -> String) -> String {
    let shape = grid.shape();
    let cells: Vec<String> = shape.all_cells().map(text).collect();
    let lines = cells.chunks(shape.side()).map(|row| row.join(gap) + "\n");
    lines.collect()
}

/// Rows with bars between boxes and lines between bands, inside `edge`.
fn boxed(grid: &Grid, edge: &str, crossing: &str, line: &str) -> String {
    let shape = grid.shape();
    let segment = line.repeat(shape.box_columns());
    let across = shape.side() / shape.box_columns();
    let between = format!("{edge}{}{edge}\n", vec![segment; across].join(crossing));
    let mut text = String::new();
    for row in 0..shape.side() {
        if row > 0 && row % shape.box_rows() == 0 {
            text += &between;
        }
        let symbols: Vec<String> = (0..shape.side())
            .map(|column| symbol(grid, shape.cell(row, column)))
            .collect();
        let boxes: Vec<String> = symbols
            .chunks(shape.box_columns())
            .map(<[String]>::concat)
            .collect();
        text += &format!("{edge}{}{edge}\n", boxes.join("|"));
    }
    text
}
