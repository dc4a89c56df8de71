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

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::Arc;

use super::block::{Blanks, Block};
use super::error::{Problem, TextError};
use super::library;
use super::line::{
    Cells, Token, Value, cells, is_border, left_of_two, only_dashes, spaces_as_blanks, whole_board,
    without_remark,
};
use super::notes::{Notes, Sheet};
use super::plain::{plain_line, plain_record};
use super::record::{Header, Rows, csv_fields, json_string, members};
use crate::{Grid, Shape, native};

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
    /// CSV header, records with such a field and no quotes), for as long as they
    /// stand whole in the buffer of the input: up to `most`, and none if anything
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

    /// The same, with the text of each CSV record added to `rows`, or an empty
    /// text for a line that is nothing but its puzzle.
    pub fn take_plain_rows(
        &mut self,
        most: usize,
        cells: &mut Vec<native::Cells>,
        mut rows: Option<&mut Rows>,
    ) -> usize {
        let first = self.line + 1;
        let between = self.block.is_none() && self.held.is_empty() && self.ready.is_empty();
        if !between || self.ended || matches!(self.mode, Mode::OtherSection) {
            return first;
        }
        // A failure to read will come again, when somebody can be told.
        let buffer = self.input.fill_buf().unwrap_or_default();
        let (mut taken, mut lines) = (0, 0);
        while lines < most {
            // It is read where it is to stay.
            let board = cells.push_mut([0; 81]);
            let bytes = match self.mode {
                Mode::Csv { field, separator } => {
                    plain_record(&buffer[taken..], field, separator, board)
                }
                _ => plain_line(&buffer[taken..], board),
            };
            let Some(bytes) = bytes else {
                cells.pop();
                break;
            };
            if let Some(rows) = &mut rows {
                let record = match self.mode {
                    Mode::Csv { .. } => &buffer[taken..taken + bytes - 1],
                    _ => &[],
                };
                rows.push(record.strip_suffix(b"\r").unwrap_or(record));
            }
            taken += bytes;
            lines += 1;
        }
        self.input.consume(taken);
        self.line += lines;
        if lines > 0 && matches!(self.mode, Mode::Start) {
            self.mode = Mode::Boards;
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
                self.fail(1, Problem::Io(error.to_string()));
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
            return self.fail(1, Problem::Binary);
        }
        if bytes.len() > LONGEST_LINE {
            let limit = LONGEST_LINE;
            return self.fail(1, Problem::TooLong { limit });
        }
        match std::str::from_utf8(bytes) {
            Ok(line) => self.take_line(line),
            Err(error) => match std::str::from_utf8(&bytes[..error.valid_up_to()]) {
                // Old lists carry names in older encodings, in remarks only.
                Ok(valid) if valid.contains('#') => self.take_line(valid),
                Ok(valid) => self.fail(valid.chars().count() + 1, Problem::NotUtf8),
                Err(_) => self.fail(1, Problem::NotUtf8),
            },
        }
    }

    fn take_line(&mut self, line: &str) {
        match self.mode {
            Mode::Csv { field, separator } => self.take_record(line, field, separator),
            Mode::OtherSection if !line.trim_start().starts_with('[') => {}
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

    /// A line of dashes is a border, unless the board writes its blanks so.
    fn take_dashes(&mut self, count: usize) {
        match &self.block {
            Some(block) if block.blanks.dashes && block.shape.side() == count => {
                let text = "-".repeat(count);
                self.take_row(cells(&text), Blanks::default());
            }
            Some(_) => {}
            None => self.dashed.push((self.line, count)),
        }
    }

    /// True if a line of spaces is a row without a clue.
    fn take_blank_row(&mut self, text: &str) -> bool {
        let is_row = self.block.as_ref().is_some_and(|block| {
            block.blanks.spaces && text.len() == block.shape.side() && text.trim().is_empty()
        });
        if is_row {
            self.take_row(cells(&".".repeat(text.len())), Blanks::default());
        }
        is_row
    }

    /// True if this is a CSV header, which only the first line can be.
    fn take_header(&mut self, line: &str) -> bool {
        if !matches!(self.mode, Mode::Start) {
            return false;
        }
        let is_puzzle = |name: &str| PUZZLE_COLUMNS.contains(&name);
        for separator in [',', '\t', ';'] {
            let Ok(fields) = csv_fields(line, separator) else {
                continue;
            };
            let mut names = fields.iter().map(|(_, name)| name.trim());
            if let Some(field) = names.position(|name| is_puzzle(&name.to_ascii_lowercase())) {
                self.mode = Mode::Csv { field, separator };
                self.header = Some(Arc::new(Header {
                    names: fields.into_iter().map(|(_, name)| name).collect(),
                    puzzle: field,
                    separator,
                }));
                return true;
            }
        }
        let Ok(fields) = csv_fields(line, ',') else {
            return false;
        };
        let mut names = fields.iter().map(|(_, name)| name.trim());
        // Words where cells would be: a header, but not one of ours.
        let letters = |name: &str| name.chars().filter(|c| c.is_alphabetic()).count();
        let is_name = |name: &str| letters(name) > 1 && Shape::from_cells(name.len()).is_none();
        if fields.len() > 1 && names.all(is_name) {
            self.fail(1, Problem::NoPuzzleColumn);
            return true;
        }
        false
    }

    fn take_record(&mut self, line: &str, field: usize, separator: char) {
        if line.trim().is_empty() {
            return;
        }
        let start = self.line;
        let mut record = line.to_string();
        let fields = loop {
            match csv_fields(&record, separator) {
                Ok(fields) => break fields,
                Err(column) => match self.next_line() {
                    Ok(true) if record.len() + self.bytes.len() < LONGEST_LINE => {
                        record.push('\n');
                        record.push_str(&String::from_utf8_lossy(&self.bytes));
                    }
                    _ => {
                        self.keep_row(&record);
                        return self.fail_at(start, column, Problem::OpenQuote);
                    }
                },
            }
        };
        self.keep_row(&record);
        match fields.get(field) {
            Some((column, text)) => self.take_string(start, *column, text),
            None => {
                let (field, found) = (field + 1, fields.len());
                self.fail_at(start, 1, Problem::MissingField { field, found });
            }
        }
    }

    fn take_json(&mut self, line: &str) {
        self.keep_row(line);
        let key = match members(line) {
            Some(members) if !members.iter().any(|(name, _)| name == "puzzle") => {
                let named = |key: &&&str| members.iter().any(|(name, _)| name == **key);
                PUZZLE_COLUMNS.iter().find(named).copied()
            }
            _ => None,
        };
        match json_string(line, key.unwrap_or("puzzle")) {
            Ok((column, text)) => self.take_string(self.line, column, &text),
            Err(bad) => self.fail(bad.column, Problem::Json(bad.message)),
        }
    }

    /// A whole board inside a record, whose text begins at `column`.
    fn take_string(&mut self, line: usize, column: usize, text: &str) {
        // The commonest text of all takes the shortest way.
        if text.len() == 81
            && let Ok(grid) = text.parse::<Grid>()
        {
            return self.push(line, Ok(Sheet::from(grid)));
        }
        let rows: Vec<&str> = text.lines().filter(|row| !is_border(row)).collect();
        let shift = |mut token: Token| {
            token.column += column - 1;
            token
        };
        let tokens: Vec<Token> = cells(&rows.join(" "))
            .tokens
            .into_iter()
            .map(shift)
            .collect();
        let board = whole_board(&tokens, line);
        self.push(line, board);
    }

    /// Cells of one line: a whole board, a row, or a mistake.
    fn take_cells(&mut self, cells: Cells, blanks: Blanks) {
        let count = cells.tokens.len();
        let row_of_block = self.block.as_ref().is_some_and(|block| {
            block.shape.side() == count || cells.apart || Shape::from_cells(count).is_none()
        });
        if row_of_block {
            return self.take_row(cells, blanks);
        }
        // Sixteen cells without space are a small board, or a row of a large
        // one. The lines that follow decide.
        if count == 16 && !cells.apart {
            self.end_rows();
            self.held.push((self.line, cells));
            if self.held.len() == 16 {
                self.settle();
            }
            return;
        }
        self.settle();
        if self.block.is_some() && Shape::from_cells(count).is_none() {
            return self.take_row(cells, blanks);
        }
        match Shape::from_side(count) {
            Some(shape) if cells.apart || Shape::from_cells(count).is_none() => {
                self.end_rows();
                self.open_block(shape, blanks);
                self.take_row(cells, blanks);
            }
            _ => {
                self.end_rows();
                let board = whole_board(&cells.tokens, self.line);
                self.push(self.line, board);
            }
        }
    }

    /// Begins a block, with the rows of dashes just above it if it writes its
    /// blanks so.
    fn open_block(&mut self, shape: Shape, blanks: Blanks) {
        let dashed = std::mem::take(&mut self.dashed);
        let here = self.line;
        let above = |nth: usize| here.checked_sub(nth + 1);
        let rows = dashed.iter().rev().enumerate();
        let rows = rows
            .take_while(|(nth, (line, count))| {
                blanks.dashes && above(*nth) == Some(*line) && *count == shape.side()
            })
            .count()
            .min(shape.side() - 1);
        let mut block = Block::new(shape, here - rows);
        for row in 0..rows {
            block.row(&cells(&"-".repeat(shape.side())).tokens, here - rows + row);
        }
        self.block = Some(block);
    }

    fn take_row(&mut self, cells: Cells, blanks: Blanks) {
        if let Some(mut block) = self.block.take() {
            block.row(&cells.tokens, self.line);
            block.blanks.dashes |= blanks.dashes;
            block.blanks.spaces |= blanks.spaces;
            if block.rows == block.shape.side() {
                self.push(block.line, block.finish());
            } else {
                self.block = Some(block);
            }
        }
    }

    /// Decides what the lines of sixteen cells were: rows of the large board if
    /// most of them hold a digit that the small one lacks.
    fn settle(&mut self) {
        let held = std::mem::take(&mut self.held);
        let large = |(_, cells): &&(usize, Cells)| {
            let large =
                |token: &Token| matches!(token.value, Value::Digit(digit) if digit.get() > 4);
            cells.tokens.iter().any(large)
        };
        let rows = held.iter().filter(large).count() * 2 > held.len();
        let here = self.line;
        for (line, cells) in held {
            if rows {
                self.line = line;
                if self.block.is_none() {
                    self.block = Some(Block::new(Shape::Four, line));
                }
                self.take_row(cells, Blanks::default());
            } else {
                let board = whole_board(&cells.tokens, line);
                self.push(line, board);
            }
        }
        self.line = here;
    }

    /// An empty line ends a block, unless it parts its bands.
    fn empty_line(&mut self) {
        self.settle();
        if !self.block.as_mut().is_some_and(Block::parts_bands) {
            self.end_rows();
        }
    }

    fn end_block(&mut self) {
        self.settle();
        self.end_rows();
    }

    fn end_rows(&mut self) {
        if let Some(block) = self.block.take() {
            self.push(block.line, block.finish());
        }
    }

    fn push(&mut self, line: usize, board: Result<Sheet, TextError>) {
        self.dashed.clear();
        self.ready.push_back(board.map(|sheet| {
            let (grid, notes) = sheet.into_parts();
            Puzzle { line, grid, notes }
        }));
    }

    fn fail(&mut self, column: usize, problem: Problem) {
        self.fail_at(self.line, column, problem);
    }

    fn fail_at(&mut self, line: usize, column: usize, problem: Problem) {
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
