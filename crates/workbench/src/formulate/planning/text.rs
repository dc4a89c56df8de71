//! A grid as a planning domain and problem, in HDDL or PDDL.
//!
//! The domains are the files people read under `models/`; the problems are
//! written here, for any grid. Rows, columns and boxes count from 0, digits
//! from 1, as the published model does.

use std::fmt::Write;

use planoku_sudoku::{Cell, Grid, House, HouseKind, Shape};

/// One of the ways to say Sudoku as a planning problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlanningModel {
    /// HDDL: one task per blank cell, in reading order.
    Order,
    /// As [`PlanningModel::Order`], with the published check methods: one
    /// parameter for every cell of the row or column.
    OrderPublished,
    /// HDDL: a task that fills any cell with any digit, and again.
    Recursive,
    /// As [`PlanningModel::Recursive`], with the published check methods.
    RecursivePublished,
    /// PDDL: the rules of the game as a quantified precondition.
    A,
    /// PDDL: one fact per house and value that is still free.
    B,
    /// PDDL: as [`PlanningModel::B`], tiles in a fixed order.
    D,
}

/// A domain and a problem, as files hold them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    /// The domain.
    pub domain: String,
    /// The problem.
    pub problem: String,
}

impl PlanningModel {
    /// Every model.
    pub const ALL: [PlanningModel; 7] = [
        PlanningModel::Order,
        PlanningModel::OrderPublished,
        PlanningModel::Recursive,
        PlanningModel::RecursivePublished,
        PlanningModel::A,
        PlanningModel::B,
        PlanningModel::D,
    ];

    /// The name given to `--model`.
    pub fn name(self) -> &'static str {
        match self {
            PlanningModel::Order => "order",
            PlanningModel::OrderPublished => "order-published",
            PlanningModel::Recursive => "recursive",
            PlanningModel::RecursivePublished => "recursive-published",
            PlanningModel::A => "a",
            PlanningModel::B => "b",
            PlanningModel::D => "d",
        }
    }

    /// One line on what it says.
    pub fn summary(self) -> &'static str {
        match self {
            PlanningModel::Order => "one task per blank cell, in reading order",
            PlanningModel::OrderPublished => "as `order`, with the published check methods",
            PlanningModel::Recursive => "fill any cell, and again until all are filled",
            PlanningModel::RecursivePublished => "as `recursive`, with the published check methods",
            PlanningModel::A => "the rules as a quantified precondition",
            PlanningModel::B => "one fact per house and value that is still free",
            PlanningModel::D => "as `b`, tiles in a fixed order",
        }
    }

    /// True for HDDL, false for PDDL.
    pub fn is_hierarchical(self) -> bool {
        !matches!(self, PlanningModel::A | PlanningModel::B | PlanningModel::D)
    }

    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        if self.is_hierarchical() {
            "hddl"
        } else {
            "pddl"
        }
    }

    /// Domain and problem for a grid. The problem is called `name`.
    ///
    /// The models say which digits may follow the clues, not that the clues
    /// themselves keep the rules: a grid whose clues clash has to be refused
    /// before.
    pub fn texts(self, grid: &Grid, name: &str) -> Texts {
        Texts {
            domain: self.domain(grid.shape()),
            problem: self.problem(grid, name),
        }
    }

    /// The domain for boards of this shape.
    pub fn domain(self, shape: Shape) -> String {
        macro_rules! file {
            ($path:literal) => {
                include_str!(concat!("../../../models/", $path))
            };
        }
        match self {
            PlanningModel::Order => file!("htn/order/plain/domain.hddl").into(),
            PlanningModel::Recursive => file!("htn/recursive/plain/domain.hddl").into(),
            PlanningModel::OrderPublished => {
                resized(file!("htn/order/published/domain-9x9.hddl"), shape.side())
            }
            PlanningModel::RecursivePublished => resized(
                file!("htn/recursive/published/domain-9x9.hddl"),
                shape.side(),
            ),
            PlanningModel::A => file!("strips/a/domain.pddl").into(),
            PlanningModel::B => file!("strips/b/domain.pddl").into(),
            PlanningModel::D => file!("strips/d/domain.pddl").into(),
        }
    }

    fn problem(self, grid: &Grid, name: &str) -> String {
        if self.is_hierarchical() {
            self.hierarchical_problem(grid, name)
        } else {
            self.classical_problem(grid, name)
        }
    }

    fn hierarchical_problem(self, grid: &Grid, name: &str) -> String {
        let shape = grid.shape();
        let numbers = 0..shape.side();
        let mut text = Text::start(name, self.domain_name());
        text.open("(:objects");
        text.line(
            numbers
                .clone()
                .map(|n| format!("r{n}"))
                .chain(["- row".into()]),
        );
        text.line(
            numbers
                .clone()
                .map(|n| format!("c{n}"))
                .chain(["- col".into()]),
        );
        text.line(
            shape
                .digits()
                .map(|d| format!("d{}", d.get()))
                .chain(["- digit".into()]),
        );
        text.line(
            numbers
                .clone()
                .map(|n| format!("b{n}"))
                .chain(["- box".into()]),
        );
        text.close(")");
        let recursive = matches!(
            self,
            PlanningModel::Recursive | PlanningModel::RecursivePublished
        );
        if recursive {
            text.single("(:htn :ordered-tasks (and (solve)))");
        } else {
            text.open("(:htn :ordered-tasks (and");
            for row in numbers.clone() {
                let blanks = grid.blanks().filter(|cell| shape.row(*cell) == row);
                text.line(blanks.map(|cell| format!("(fill-cell c{} r{row})", shape.column(cell))));
            }
            text.close("))");
        }
        text.open("(:init");
        if matches!(
            self,
            PlanningModel::OrderPublished | PlanningModel::RecursivePublished
        ) {
            for letter in ['r', 'c'] {
                let next =
                    (1..shape.side()).map(|n| format!("(inc {letter}{} {letter}{n})", n - 1));
                text.line(next);
            }
        }
        for row in numbers {
            text.line((0..shape.side()).map(|column| {
                let cell_box = shape.box_of(shape.cell(row, column));
                format!("(cell-at-box b{cell_box} c{column} r{row})")
            }));
        }
        for (cell, digit) in grid.clues() {
            let (row, column, cell_box) = place(shape, cell);
            let digit = digit.get();
            text.line([
                format!("(digit-at d{digit} c{column} r{row})"),
                format!("(digit-at-box d{digit} b{cell_box})"),
                format!("(filled c{column} r{row})"),
            ]);
        }
        text.close(")");
        text.end()
    }

    fn classical_problem(self, grid: &Grid, name: &str) -> String {
        let shape = grid.shape();
        let numbers = 0..shape.side();
        let mut text = Text::start(name, self.domain_name());
        text.open("(:objects");
        for row in numbers.clone() {
            let tiles = (0..shape.side()).map(|column| tile(shape, shape.cell(row, column)));
            let last = row + 1 == shape.side();
            text.line(tiles.chain(last.then(|| "- tile".to_string())));
        }
        text.line(
            shape
                .digits()
                .map(|d| format!("v{}", d.get()))
                .chain(["- value".into()]),
        );
        for kind in ["row", "column", "box"] {
            let houses = numbers.clone().map(|n| format!("{kind}{n}"));
            let ty = match self {
                PlanningModel::A if kind == "box" => Some("- house".to_string()),
                PlanningModel::A => None,
                _ => Some(format!("- {kind}")),
            };
            text.line(houses.chain(ty));
        }
        text.close(")");
        text.open("(:init");
        for cell in shape.all_cells() {
            self.classical_cell(grid, cell, &mut text);
        }
        if self != PlanningModel::A {
            for house in shape.houses() {
                let used: Vec<_> = shape
                    .house_cells(house)
                    .filter_map(|c| grid.get(c))
                    .collect();
                let free = shape.digits().filter(|digit| !used.contains(digit));
                text.line(free.map(|d| format!("(free {} v{})", house_name(house), d.get())));
            }
        }
        let blanks: Vec<String> = grid.blanks().map(|cell| tile(shape, cell)).collect();
        if self == PlanningModel::D {
            let chain: Vec<&str> = blanks.iter().map(String::as_str).chain(["end"]).collect();
            text.line([format!("(current {})", chain[0])]);
            text.line(
                chain
                    .windows(2)
                    .map(|pair| format!("(next {} {})", pair[0], pair[1])),
            );
        }
        text.close(")");
        match self {
            PlanningModel::A => {
                text.single("(:goal (forall (?s - tile) (not (tile-value ?s v0))))")
            }
            PlanningModel::D => text.single("(:goal (current end))"),
            _ => {
                text.open("(:goal (and");
                text.line(blanks.iter().map(|tile| format!("(filled {tile})")));
                text.close("))");
            }
        }
        text.end()
    }

    fn classical_cell(self, grid: &Grid, cell: Cell, text: &mut Text) {
        let shape = grid.shape();
        let (row, column, cell_box) = place(shape, cell);
        let tile = tile(shape, cell);
        let value = |value: u8| format!("(tile-value {tile} v{value})");
        match (self, grid.get(cell)) {
            (PlanningModel::A, content) => text.line([
                format!("(in {tile} row{row})"),
                format!("(in {tile} column{column})"),
                format!("(in {tile} box{cell_box})"),
                value(content.map_or(0, |digit| digit.get())),
            ]),
            (_, Some(digit)) => text.line([value(digit.get())]),
            (model, None) => {
                let at = format!("(at {tile} row{row} column{column} box{cell_box})");
                let blank = (model == PlanningModel::B).then(|| format!("(blank {tile})"));
                text.line([at].into_iter().chain(blank));
            }
        }
    }

    fn domain_name(self) -> &'static str {
        match self {
            PlanningModel::Order | PlanningModel::OrderPublished => "sudoku-order",
            PlanningModel::Recursive | PlanningModel::RecursivePublished => "sudoku-recursive",
            PlanningModel::A => "sudoku-a",
            PlanningModel::B => "sudoku-b",
            PlanningModel::D => "sudoku-d",
        }
    }
}

/// Row, column and box of a cell.
fn place(shape: Shape, cell: Cell) -> (usize, usize, usize) {
    (shape.row(cell), shape.column(cell), shape.box_of(cell))
}

/// The name of a tile: `s05` is row 0, column 5; `s0-12` where one digit does
/// not do.
pub(super) fn tile(shape: Shape, cell: Cell) -> String {
    let (row, column) = (shape.row(cell), shape.column(cell));
    if shape.side() > 10 {
        format!("s{row}-{column}")
    } else {
        format!("s{row}{column}")
    }
}

fn house_name(house: House) -> String {
    let kind = match house.kind {
        HouseKind::Row => "row",
        HouseKind::Column => "column",
        HouseKind::Box => "box",
    };
    format!("{kind}{}", house.index)
}

/// The published domain for another board: its check methods list every cell
/// of a line.
fn resized(nine: &str, side: usize) -> String {
    let mut text = nine.to_string();
    for letter in ["c", "r"] {
        let list = |side: usize| {
            (0..side)
                .map(|n| format!("?{letter}{n}"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let chain = |side: usize| {
            let pairs: Vec<String> = (1..side)
                .map(|n| format!("(inc ?{letter}{} ?{letter}{n})", n - 1))
                .collect();
            pairs
                .chunks(4)
                .map(|four| four.join(" "))
                .collect::<Vec<_>>()
                .join("\n      ")
        };
        text = text
            .replace(&list(9), &list(side))
            .replace(&chain(9), &chain(side));
    }
    text
}

/// A problem text under construction: indented, wrapped at a readable width.
pub(super) struct Text(String);

const WIDTH: usize = 96;

impl Text {
    pub(super) fn start(name: &str, domain: &str) -> Text {
        Text(format!("(define (problem {name})\n  (:domain {domain})"))
    }

    pub(super) fn single(&mut self, line: &str) {
        let _ = write!(self.0, "\n  {line}");
    }

    pub(super) fn open(&mut self, head: &str) {
        self.single(head);
    }

    pub(super) fn close(&mut self, tail: &str) {
        self.0.push_str(tail);
    }

    /// The words on a line of their own, or on several if they are many.
    pub(super) fn line(&mut self, words: impl IntoIterator<Item = String>) {
        let mut room = 0;
        for word in words {
            if word.len() + 1 > room {
                self.0.push_str("\n    ");
                room = WIDTH - 4;
            } else {
                self.0.push(' ');
                room -= 1;
            }
            self.0.push_str(&word);
            room = room.saturating_sub(word.len());
        }
    }

    pub(super) fn end(mut self) -> String {
        self.0.push_str(")\n");
        self.0
    }
}
