//! A list of puzzles, read one at a time.
//!
//! Whatever the format, the text is taken line by line. A line with the cells
//! of a whole board is a puzzle; a line with the cells of one row opens a
//! block that the following rows complete. Borders, remarks and section names
//! stand between. A CSV header switches to records; a line that begins with
//! `{` is a JSON object.
//!
//! Two things bound the memory: no line may exceed [`LONGEST_LINE`], and
//! nothing is held but the block being read.
//!
//! A mistake costs the puzzle it stands in and no other: the reader reports it
//! with its place and goes on with the next line or block.

mod records;
mod rows;

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::Arc;

use super::block::{Blanks, Block};
use super::error::{TextError, TextProblem};
use super::library;
use super::line::{
    Cells, cells, is_border, left_of_two, only_dashes, spaces_as_blanks, without_remark,
};
use super::notes::{Notes, Sheet};
use super::plain::{plain_line, plain_object, plain_record};
use super::record::{Header, Rows};
use crate::{Grid, native};

/// The longest line the reader accepts, in bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// What the column with the puzzles may be called, in lower case.
pub const PUZZLE_COLUMNS: [&str; 5] = ["puzzle", "puzzles", "quizzes", "quiz", "question"];

/// A puzzle and the line it begins on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// Counted from 1.
    pub line: usize,
    /// The puzzle itself, with the digits entered so far.
    pub grid: Grid,
    /// What a player has noted on it, if the format tells.
    pub notes: Option<Box<Notes>>,
}

/// Reads puzzles in any format, one at a time.
///
/// ```
/// use planoku_sudoku::text::Puzzles;
///
/// let list = "1...............\nnonsense\n4...............\n";
/// let mut puzzles = Puzzles::new(list.as_bytes());
/// assert_eq!(puzzles.next().unwrap().unwrap().line, 1);
/// assert_eq!(puzzles.next().unwrap().unwrap_err().line, 2);
/// assert_eq!(puzzles.next().unwrap().unwrap().line, 3);
/// assert!(puzzles.next().is_none());
/// ```
pub struct Puzzles<R> {
    input: R,
    bytes: Vec<u8>,
    line: usize,
    mode: Mode,
    block: Option<Block>,
    held: Vec<(usize, Cells)>,
    /// Lines of nothing but `-` before the first row of a block: borders, or
    /// rows without a clue.
    dashed: Vec<(usize, usize)>,
    /// Below a drawn board, where words say what was found.
    caption: bool,
    ready: VecDeque<Result<Puzzle, TextError>>,
    ended: bool,
    header: Option<Arc<Header>>,
    /// The text of the last record, if somebody wants it.
    row: Option<String>,
}

/// What the lines are.
enum Mode {
    /// Nothing was seen that decides it yet.
    Start,
    /// Boards, whole or row by row.
    Boards,
    /// A section that holds no puzzle, such as `[State]` of an `.sdk` file.
    OtherSection,
    /// Records after a CSV header, the puzzle in this field.
    Csv { field: usize, separator: char },
    /// Inside OpenSudoku's XML, where only tags matter.
    OpenSudoku,
}

impl<R: BufRead> Puzzles<R> {
    /// Reads from `input`.
    pub fn new(input: R) -> Puzzles<R> {
        Puzzles {
            input,
            bytes: Vec::new(),
            line: 0,
            mode: Mode::Start,
            block: None,
            held: Vec::new(),
            dashed: Vec::new(),
            caption: false,
            ready: VecDeque::new(),
            ended: false,
            header: None,
            row: None,
        }
    }

    /// Keeps the text of records, for [`Puzzles::row`].
    #[must_use]
    pub fn keeping_rows(mut self) -> Puzzles<R> {
        self.row = Some(String::new());
        self
    }

    /// The text that the last puzzle or mistake stood in, without its line end:
    /// a CSV record, which may hold line ends of its own, a JSON object, or a
    /// line that is no puzzle. Empty for boards, which say what they are, and
    /// for those who do not [keep rows](Puzzles::keeping_rows).
    ///
    /// ```
    /// use planoku_sudoku::text::Puzzles;
    ///
    /// let list = "id,puzzle\n7,1...............\n";
    /// let mut puzzles = Puzzles::new(list.as_bytes()).keeping_rows();
    /// puzzles.next().unwrap().unwrap();
    /// assert_eq!(puzzles.row(), "7,1...............");
    /// assert_eq!(puzzles.header().unwrap().names, ["id", "puzzle"]);
    /// ```
    pub fn row(&self) -> &str {
        self.row.as_deref().unwrap_or_default()
    }

    /// The first line of a CSV file, once it has been read.
    pub fn header(&self) -> Option<&Arc<Header>> {
        self.header.as_ref()
    }

    /// What is read from.
    pub fn input(&self) -> &R {
        &self.input
    }

    /// Takes plain lines, 81 symbols of a 9x9 board and nothing else (after a
    /// CSV header, records with such a field and no quotes), or flat JSON objects
    /// with such a string as `puzzle`, for as long as they stand whole in the buffer of the input: up to `most`, and none if anything
    /// else comes next. Returns the line the first of them stands on.
    ///
    /// Nothing is allocated but what `cells` needs to grow. The ordinary way of
    /// reading gives the same puzzles.
    ///
    /// ```
    /// use planoku_sudoku::text::Puzzles;
    ///
    /// let list = format!("{0}\n{0}\n1...............\n", ".".repeat(81));
    /// let mut puzzles = Puzzles::new(list.as_bytes());
    /// let mut cells = Vec::new();
    /// assert_eq!(puzzles.take_plain(100, &mut cells), 1);
    /// assert_eq!(cells, [[0; 81]; 2]);
    /// assert_eq!(puzzles.next().unwrap().unwrap().line, 3);
    /// ```
    pub fn take_plain(&mut self, most: usize, cells: &mut Vec<native::Cells>) -> usize {
        self.take_plain_rows(most, cells, None)
    }

    /// As [`Puzzles::take_plain`], with the text of each CSV record or JSON object
    /// added to `rows`, or an empty text for a line that is nothing but its puzzle.
    pub fn take_plain_rows(
        &mut self,
        most: usize,
        cells: &mut Vec<native::Cells>,
        mut rows: Option<&mut Rows>,
    ) -> usize {
        let first = self.line + 1;
        let between = self.block.is_none() && self.held.is_empty() && self.ready.is_empty();
        if !between || self.ended || matches!(self.mode, Mode::OtherSection | Mode::OpenSudoku) {
            return first;
        }
        // A failure to read will come again, when somebody can be told.
        let buffer = self.input.fill_buf().unwrap_or_default();
        let (mut taken, mut lines, mut boards) = (0, 0, false);
        while lines < most {
            // It is read where it is to stay.
            let board = cells.push_mut([0; 81]);
            let bytes = &buffer[taken..];
            let (read, whole) = match self.mode {
                Mode::Csv { field, separator } => {
                    (plain_record(bytes, field, separator, board), false)
                }
                // Below a drawn board it might be a caption.
                _ if bytes.first() == Some(&b'{') && !self.caption => {
                    (plain_object(bytes, board), false)
                }
                _ => (plain_line(bytes, board), true),
            };
            let Some(bytes) = read else {
                cells.pop();
                break;
            };
            if let Some(rows) = &mut rows {
                let record = match whole {
                    true => &[],
                    false => &buffer[taken..taken + bytes - 1],
                };
                rows.push(record.strip_suffix(b"\r").unwrap_or(record));
            }
            boards |= whole;
            taken += bytes;
            lines += 1;
        }
        self.input.consume(taken);
        self.line += lines;
        if boards && matches!(self.mode, Mode::Start) {
            self.mode = Mode::Boards;
        }
        if lines > 0 {
            self.dashed.clear();
        }
        first
    }

    /// Takes one line, and queues the puzzles and mistakes it completes.
    fn step(&mut self) {
        match self.next_line() {
            Ok(false) => {
                self.end_block();
                self.ended = true;
            }
            Ok(true) => {
                let bytes = std::mem::take(&mut self.bytes);
                if let Some(row) = &mut self.row {
                    row.clear();
                }
                self.take_bytes(&bytes);
                self.keep_row_of_mistake(&bytes);
                self.bytes = bytes;
            }
            Err(error) => {
                self.line += 1;
                self.fail(1, TextProblem::Io(error.to_string()));
            }
        }
    }

    /// A line that is no puzzle is its own row.
    fn keep_row_of_mistake(&mut self, line: &[u8]) {
        if let Some(row) = &mut self.row
            && row.is_empty()
            && self.ready.len() == 1
            && self.ready[0].is_err()
        {
            row.push_str(&String::from_utf8_lossy(line));
        }
    }

    fn keep_row(&mut self, record: &str) {
        if let Some(row) = &mut self.row {
            row.push_str(record);
        }
    }

    /// Reads the next line, without its end; `false` if there is none.
    fn next_line(&mut self) -> io::Result<bool> {
        self.bytes.clear();
        let limit = LONGEST_LINE as u64 + 2;
        let read = io::Read::take(&mut self.input, limit).read_until(b'\n', &mut self.bytes)?;
        if read == 0 {
            return Ok(false);
        }
        self.line += 1;
        if self.bytes.last() == Some(&b'\n') {
            self.bytes.pop();
        } else if read as u64 == limit {
            self.input.skip_until(b'\n')?;
        }
        if self.bytes.last() == Some(&b'\r') {
            self.bytes.pop();
        }
        if self.line == 1 && self.bytes.starts_with(b"\xef\xbb\xbf") {
            self.bytes.drain(..3);
        }
        Ok(true)
    }

    fn take_bytes(&mut self, bytes: &[u8]) {
        if bytes.contains(&0) {
            return self.fail(1, TextProblem::Binary);
        }
        if bytes.len() > LONGEST_LINE {
            let limit = LONGEST_LINE;
            return self.fail(1, TextProblem::TooLong { limit });
        }
        match std::str::from_utf8(bytes) {
            Ok(line) => self.take_line(line),
            Err(error) => match std::str::from_utf8(&bytes[..error.valid_up_to()]) {
                // Old lists carry names in older encodings, in remarks only.
                Ok(valid) if valid.contains('#') => self.take_line(valid),
                Ok(valid) => self.fail(valid.chars().count() + 1, TextProblem::NotUtf8),
                Err(_) => self.fail(1, TextProblem::NotUtf8),
            },
        }
    }

    fn take_line(&mut self, line: &str) {
        match self.mode {
            Mode::Csv { field, separator } => self.take_record(line, field, separator),
            Mode::OtherSection if !line.trim_start().starts_with('[') => {}
            Mode::OpenSudoku => self.take_tags(line),
            _ => self.take_board_line(line),
        }
    }

    fn take_board_line(&mut self, line: &str) {
        let text = without_remark(line);
        let trimmed = text.trim();
        // The commonest line of all takes the shortest way.
        if self.block.is_none()
            && self.held.is_empty()
            && trimmed.len() > 16
            && let Ok(grid) = trimmed.parse::<Grid>()
            && !is_border(trimmed)
        {
            self.mode = Mode::Boards;
            return self.push(self.line, Ok(Sheet::from(grid)));
        }
        if std::mem::replace(&mut self.caption, false) && is_caption(trimmed) {
            self.caption = true;
        } else if let Some(dashes) = only_dashes(trimmed) {
            self.take_dashes(dashes);
        } else if trimmed.is_empty() && !text.contains('\t') {
            // A remark alone does not end a block; an empty line may.
            if text.len() == line.len() && !self.take_blank_row(text) {
                self.empty_line();
            }
        } else if is_border(trimmed) {
            self.caption = trimmed.contains(['┘', '╝', '┛']);
        } else if trimmed.starts_with('[') {
            self.end_block();
            let puzzle = trimmed.to_ascii_lowercase().starts_with("[puzzle");
            self.mode = if puzzle {
                Mode::Boards
            } else {
                Mode::OtherSection
            };
        } else if trimmed.starts_with('{') {
            self.end_block();
            self.take_json(line);
        } else if trimmed.starts_with('<') {
            self.end_block();
            self.take_tags(line);
        } else if let Some(board) = library::read(line, self.line) {
            self.mode = Mode::Boards;
            self.end_block();
            self.push(self.line, board);
        } else if !self.take_header(trimmed) {
            self.mode = Mode::Boards;
            let shape = self.block.as_ref().map(|block| block.shape);
            let spaced = self.block.as_ref().is_some_and(|block| block.blanks.spaces);
            let text = left_of_two(text);
            let (cells, spaces) = match spaces_as_blanks(text, shape, spaced) {
                Some(cells) => (cells, true),
                None => (cells(text), false),
            };
            let blanks = Blanks {
                dashes: text.contains('-'),
                spaces,
            };
            self.take_cells(cells, blanks);
        }
    }

    fn push(&mut self, line: usize, board: Result<Sheet, TextError>) {
        self.dashed.clear();
        self.ready.push_back(board.map(|sheet| {
            let (grid, notes) = sheet.into_parts();
            Puzzle { line, grid, notes }
        }));
    }

    fn fail(&mut self, column: usize, problem: TextProblem) {
        self.fail_at(self.line, column, problem);
    }

    fn fail_at(&mut self, line: usize, column: usize, problem: TextProblem) {
        self.end_block();
        self.ended |= problem.is_fatal();
        self.ready.push_back(Err(TextError {
            line,
            column,
            problem,
        }));
    }
}

impl<R: BufRead> Iterator for Puzzles<R> {
    type Item = Result<Puzzle, TextError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.ended {
            self.step();
        }
        self.ready.pop_front()
    }
}

/// True for words below a drawn board, such as `unique · verified`.
fn is_caption(line: &str) -> bool {
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    let opens = line.starts_with(['{', '[', ':', '#']);
    letters > 3 && line.contains(' ') && !line.contains(['│', '|']) && !opens
}
