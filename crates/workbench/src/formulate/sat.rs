//! Sudoku as a propositional formula.
//!
//! One variable for each cell and digit: the cell holds the digit. Lynce and
//! Ouaknine (*Sudoku as a SAT problem*, 2006) give two sets of clauses; Kwon
//! and Jain (*Optimized CNF encoding for Sudoku puzzles*, 2006) show what the
//! clues make superfluous.
//!
//! | [`Family`] | clauses |
//! |---|---|
//! | `minimal` | every cell holds a digit; no house holds a digit twice |
//! | `extended` | also: no cell holds two digits; every house holds every digit |
//! | `optimised` | the extended ones, without variables the clues decide |
//! | `propagated` | the same, where a decided cell counts as a clue, until nothing more is decided |
//!
//! How "at most one" is said is a part of its own ([`AtMostOne`]), so that
//! `extended:ladder` and `minimal:product` are encodings too.

use std::fmt;
use std::str::FromStr;

use planoku_constraints::cnf::{AtMostOne, Cnf, Lit, Var};
use planoku_constraints::sat::{Assignment, Cdcl, SatEngine, Solver};
#[cfg(not(feature = "cadical"))]
use planoku_engine::name::WordRule;
use planoku_engine::name::{Grammar, Group, NameError, Spelling};
use planoku_engine::{EncodeError, EngineError, Formulation, Run, Via};
use planoku_sudoku::{Candidates, Cell, Digit, Grid, House, HouseKind, Shape};

use crate::Plain;
use crate::family::EngineFamily;

/// Which clauses say what a Sudoku is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Just enough clauses.
    Minimal,
    /// Redundant ones that let unit propagation see more.
    Extended,
    /// Without what the clues decide.
    Optimised,
    /// Without what follows from the clues by singles.
    Propagated,
}

impl Family {
    /// Every family, plainest first.
    pub const ALL: [Family; 4] = [
        Family::Minimal,
        Family::Extended,
        Family::Optimised,
        Family::Propagated,
    ];

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Minimal => "minimal",
            Family::Extended => "extended",
            Family::Optimised => "optimised",
            Family::Propagated => "propagated",
        }
    }
}

/// A way to say Sudoku as a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// Which clauses.
    pub family: Family,
    /// How "at most one" is said.
    pub at_most_one: AtMostOne,
}

impl Default for Encoding {
    /// The fastest in our measurements.
    fn default() -> Encoding {
        Encoding::plain(Family::Propagated)
    }
}

impl Encoding {
    /// A family with pairwise "at most one", as the papers have it.
    pub const fn plain(family: Family) -> Encoding {
        Encoding {
            family,
            at_most_one: AtMostOne::Pairwise,
        }
    }

    /// Every encoding.
    pub fn all() -> impl Iterator<Item = Encoding> {
        Family::ALL.into_iter().flat_map(|family| {
            AtMostOne::ALL.map(|at_most_one| Encoding {
                family,
                at_most_one,
            })
        })
    }

    /// Says a puzzle as a formula.
    pub fn say(self, puzzle: &Grid) -> Encoded {
        let board = match self.family {
            Family::Minimal | Family::Extended => Board::full(puzzle.shape()),
            Family::Optimised => Board::without_clues(puzzle),
            Family::Propagated => Board::settled(puzzle),
        };
        let mut encoded = Encoded::new(board);
        encoded.cells(self);
        encoded.houses(self);
        if matches!(self.family, Family::Minimal | Family::Extended) {
            for (cell, digit) in puzzle.clues() {
                let clue = encoded
                    .lit(cell, digit)
                    .expect("every digit has a variable");
                encoded.cnf.add([clue]);
            }
        }
        let cells = encoded.board.variables();
        if encoded.cnf.vars() > cells {
            encoded.cnf.show((0..cells).map(Var::new).collect());
        }
        encoded
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.family.name())?;
        match self.at_most_one {
            AtMostOne::Pairwise => Ok(()),
            other => write!(f, ":{}", other.name()),
        }
    }
}

/// `minimal`, `extended:ladder`, `optimised`, …
impl FromStr for Encoding {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Encoding, NameError> {
        Ok(Encoding::spelt(&ENCODINGS.read(text)?))
    }
}

impl Encoding {
    /// What a name with clauses and a way to say "at most one" means.
    fn spelt(spelling: &Spelling) -> Encoding {
        let clauses = spelling.word("clauses");
        let family = Family::ALL.into_iter().find(|it| it.name() == clauses);
        let way = spelling.word(WAYS.what);
        let way = AtMostOne::ALL.into_iter().find(|it| it.name() == way);
        Encoding {
            family: family.expect("a word of the grammar"),
            at_most_one: way.expect("a word of the grammar"),
        }
    }
}

/// What is decided before the formula is written, and what stays open.
#[derive(Clone, Debug)]
struct Board {
    /// Cells decided; the formula does not speak of them.
    decided: Grid,
    /// The digits that have a variable, by cell.
    open: Vec<Candidates>,
    /// The first variable of each cell, and the number of all at the end.
    first: Vec<u32>,
    /// The clues already contradict each other.
    refuted: bool,
}

impl Board {
    /// Nothing decided: every digit of every cell has a variable.
    fn full(shape: Shape) -> Board {
        let open = vec![Candidates::all(shape); shape.cells()];
        Board::new(Grid::empty(shape), open, false)
    }

    /// Clues, and what they rule out among their peers.
    fn without_clues(puzzle: &Grid) -> Board {
        let mut refuted = false;
        let open = puzzle.shape().all_cells().map(|cell| {
            let candidates = puzzle.candidates(cell);
            match puzzle.get(cell) {
                None => candidates,
                Some(clue) => {
                    refuted |= !candidates.contains(clue);
                    Candidates(0)
                }
            }
        });
        let open = open.collect();
        Board::new(puzzle.clone(), open, refuted)
    }

    /// Clues and singles: cells with one digit left, digits with one cell left
    /// in a house, until there are none.
    fn settled(puzzle: &Grid) -> Board {
        let mut grid = puzzle.clone();
        loop {
            let board = Board::without_clues(&grid);
            let singles = board.singles();
            if board.refuted || singles.is_empty() {
                return board;
            }
            for (cell, digit) in singles {
                grid.set(cell, Some(digit));
            }
        }
    }

    /// Cells with one digit left, and digits with one cell left. Two that
    /// contradict each other are noticed when both are on the board, or as a
    /// cell or digit left without a place.
    fn singles(&self) -> Vec<(Cell, Digit)> {
        let shape = self.decided.shape();
        let mut singles: Vec<(Cell, Digit)> = Vec::new();
        let alone = |cell: Cell| Some(self.open[cell.index()]).filter(|open| open.len() == 1);
        for cell in shape.all_cells() {
            singles.extend(
                alone(cell)
                    .into_iter()
                    .flat_map(Candidates::iter)
                    .map(|digit| (cell, digit)),
            );
        }
        for house in shape.houses() {
            // Digits seen at least once, and at least twice.
            let (mut once, mut twice) = (0, 0);
            for cell in shape.house_cells(house) {
                let open = self.open[cell.index()].0;
                twice |= once & open;
                once |= open;
            }
            for digit in Candidates(once & !twice).iter() {
                let has = |cell: &Cell| self.open[cell.index()].contains(digit);
                singles.extend(shape.house_cells(house).find(has).map(|cell| (cell, digit)));
            }
        }
        singles
    }

    fn new(decided: Grid, open: Vec<Candidates>, refuted: bool) -> Board {
        let mut first = Vec::with_capacity(open.len() + 1);
        let mut next = 0;
        first.push(0);
        for candidates in &open {
            next += candidates.len() as u32;
            first.push(next);
        }
        Board {
            decided,
            open,
            first,
            refuted,
        }
    }

    fn variables(&self) -> usize {
        self.first.last().map_or(0, |last| *last as usize)
    }
}

/// A puzzle as a formula, with the way back.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// The formula.
    pub cnf: Cnf,
    board: Board,
}

impl AsRef<Cnf> for Encoded {
    fn as_ref(&self) -> &Cnf {
        &self.cnf
    }
}

impl Encoded {
    fn new(board: Board) -> Encoded {
        let mut cnf = Cnf::new();
        cnf.reserve_vars(board.variables());
        if board.refuted {
            cnf.add([]);
        }
        Encoded { cnf, board }
    }

    /// The clues, and whatever else was decided before the formula was written.
    pub fn decided(&self) -> &Grid {
        &self.board.decided
    }

    /// The literal that says the cell holds the digit; `None` if that was
    /// decided without a variable.
    pub fn lit(&self, cell: Cell, digit: Digit) -> Option<Lit> {
        let open = self.board.open[cell.index()];
        let before = open.0 & (Candidates::only(digit).0 - 1);
        let var = self.board.first[cell.index()] + before.count_ones();
        open.contains(digit)
            .then(|| Var::new(var as usize).positive())
    }

    /// What a variable says; `None` for auxiliary ones.
    pub fn meaning(&self, var: Var) -> Option<(Cell, Digit)> {
        let index = var.index();
        if index >= self.board.variables() {
            return None;
        }
        let cell = self
            .board
            .first
            .partition_point(|first| *first as usize <= index)
            - 1;
        let nth = index - self.board.first[cell] as usize;
        let digit = self.board.open[cell].iter().nth(nth)?;
        Some((Cell::new(cell), digit))
    }

    /// Every cell holds a digit, and, if the family says so, only one.
    fn cells(&mut self, encoding: Encoding) {
        for cell in 0..self.board.open.len() {
            let vars = self.board.first[cell]..self.board.first[cell + 1];
            if vars.is_empty() {
                let empty = self.board.decided.get(Cell::new(cell)).is_none();
                if empty {
                    self.cnf.add([]);
                }
                continue;
            }
            let lits: Vec<Lit> = vars.map(|var| Var::new(var as usize).positive()).collect();
            self.cnf.add(lits.iter().copied());
            if encoding.family != Family::Minimal {
                encoding.at_most_one.add(&mut self.cnf, &lits);
            }
        }
    }

    /// No house holds a digit twice, and, if the family says so, each holds it.
    fn houses(&mut self, encoding: Encoding) {
        let shape = self.board.decided.shape();
        let mut cells: Vec<Cell> = Vec::with_capacity(shape.side());
        let mut lits: Vec<Lit> = Vec::with_capacity(shape.side());
        for house in shape.houses() {
            cells.clear();
            cells.extend(shape.house_cells(house));
            let placed = cells
                .iter()
                .filter_map(|cell| self.board.decided.get(*cell))
                .fold(Candidates::all(shape), Candidates::without);
            for digit in placed.iter() {
                lits.clear();
                lits.extend(cells.iter().filter_map(|cell| self.lit(*cell, digit)));
                if encoding.family != Family::Minimal {
                    self.cnf.add(lits.iter().copied());
                }
                self.at_most_once(encoding, house, &lits);
            }
        }
    }

    /// No two of these places of a digit in a house.
    fn at_most_once(&mut self, encoding: Encoding, house: House, lits: &[Lit]) {
        let full = matches!(encoding.family, Family::Minimal | Family::Extended);
        let shape = self.board.decided.shape();
        if full || house.kind != HouseKind::Box || encoding.at_most_one != AtMostOne::Pairwise {
            return encoding.at_most_one.add(&mut self.cnf, lits);
        }
        // Two cells of a box on one line have been kept apart by the line.
        let place = |lit: Lit| {
            let (cell, _) = self.meaning(lit.var()).expect("a literal of a cell");
            (shape.row(cell), shape.column(cell))
        };
        let places: Vec<(usize, usize)> = lits.iter().map(|lit| place(*lit)).collect();
        for nth in 0..lits.len() {
            for other in nth + 1..lits.len() {
                if places[nth].0 != places[other].0 && places[nth].1 != places[other].1 {
                    self.cnf.add([!lits[nth], !lits[other]]);
                }
            }
        }
    }

    /// The board an assignment describes; `None` if it leaves a cell blank or
    /// gives it two digits, which no satisfying assignment does.
    pub fn read_back(&self, value: impl Fn(Var) -> bool) -> Option<Grid> {
        let mut grid = self.board.decided.clone();
        for cell in grid.shape().all_cells() {
            let open = self.board.open[cell.index()];
            if grid.get(cell).is_some() {
                continue;
            }
            let first = self.board.first[cell.index()] as usize;
            let mut held = (first..)
                .zip(open.iter())
                .filter(|(var, _)| value(Var::new(*var)));
            match (held.next(), held.next()) {
                (Some((_, digit)), None) => grid.set(cell, Some(digit)),
                _ => return None,
            }
        }
        Some(grid)
    }

    /// The clause that forbids one solution: some cell holds another digit.
    pub fn other_than(&self, solution: &Grid) -> Vec<Lit> {
        let lit = |(cell, digit)| self.lit(cell, digit).map(|lit| !lit);
        solution.clues().filter_map(lit).collect()
    }

    /// What the variables mean, line by line, for people who read the file.
    pub fn legend(&self) -> impl Iterator<Item = String> + '_ {
        let shape = self.board.decided.shape();
        let place = move |cell| (shape.row(cell) + 1, shape.column(cell) + 1);
        let decided = self.board.decided.clues().map(move |(cell, digit)| {
            let (row, column) = place(cell);
            format!("row {row}, column {column} holds {digit}: decided, no variable")
        });
        let variables =
            (0..self.cnf.vars()).map(move |index| match self.meaning(Var::new(index)) {
                Some((cell, digit)) => {
                    let (row, column) = place(cell);
                    format!("{} = row {row}, column {column} holds {digit}", index + 1)
                }
                None => format!("{} is auxiliary", index + 1),
            });
        decided.chain(variables)
    }
}

/// The words for clauses; the first is the fastest in our measurements.
const CLAUSES: &[&str] = &[
    Family::Propagated.name(),
    Family::Minimal.name(),
    Family::Extended.name(),
    Family::Optimised.name(),
];

const WAYS: Group = Group::after(
    ':',
    "ways to say \"at most one\"",
    &[
        AtMostOne::Pairwise.name(),
        AtMostOne::Ladder.name(),
        AtMostOne::Commander.name(),
        AtMostOne::Product.name(),
    ],
);

/// How encodings are named: `minimal`, `extended:ladder`.
static ENCODINGS: Grammar = Grammar {
    groups: &[Group::first("clauses", CLAUSES), WAYS],
    rules: &[],
};

/// Any of an encoding's words and a solver's name after `sat`, as in
/// `sat:minimal`, `sat:extended:ladder` or `sat:cadical`.
pub(crate) const FORMULAS: EngineFamily = EngineFamily {
    grammar: &Grammar {
        groups: &[
            Group::first("engines", &["sat"]),
            Group::after(':', "clauses", CLAUSES),
            WAYS,
            Group::after(':', "solvers", &["batsat", "cadical"]),
        ],
        rules: &[
            #[cfg(not(feature = "cadical"))]
            WordRule::Needs {
                words: &["cadical"],
                others: &[],
                why: "this build is without CaDiCaL (--features cadical adds it)",
            },
        ],
    },
    listed: &[
        "sat",
        #[cfg(feature = "cadical")]
        "sat:cadical",
    ],
    make: |spelling| {
        let solver = spelling.word("solvers");
        let solver = Solver::ALL.iter().find(|known| known.name() == solver);
        Box::new(Plain(Via {
            name: spelling.to_string().into(),
            summary: "a formula for a conflict-driven SAT solver".into(),
            formulation: Encoding::spelt(spelling),
            engine: SatEngine {
                solver: solver.copied().unwrap_or_default(),
            },
        }))
    },
};

/// What our own solver is given: singles are left for it to find, so that they
/// can be watched.
pub const WATCHED: Encoding = Encoding::plain(Family::Optimised);

/// The engine `cdcl`: slower than `sat`, and every step of it can be watched.
pub(crate) const CDCL: EngineFamily = EngineFamily {
    grammar: &Grammar {
        groups: &[Group::first("engines", &["cdcl"])],
        rules: &[],
    },
    listed: &["cdcl"],
    make: |_| {
        Box::new(Plain(Via {
            name: "cdcl".into(),
            summary: "a SAT solver of our own: every decision and learnt clause can be watched"
                .into(),
            formulation: WATCHED,
            engine: Cdcl,
        }))
    },
};

impl Formulation<Grid> for Encoding {
    type Problem = Encoded;
    type Found = Assignment;
    type Answer = Grid;

    fn encode(&self, puzzle: &Grid, run: &mut Run<'_>) -> Result<Encoded, EncodeError> {
        run.check()?;
        Ok(self.say(puzzle))
    }

    fn decode(&self, _: &Grid, encoded: &Encoded, found: Assignment) -> Result<Grid, EngineError> {
        let grid = encoded.read_back(|var| found.value(var));
        grid.ok_or_else(|| EngineError::Internal("the assignment is not a board".to_string()))
    }
}
