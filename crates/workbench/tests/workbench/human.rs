//! The explanation as a plan, judged by a solver that applies techniques.
//!
//! The judge knows no planning: it keeps a board of candidates and applies
//! every technique of a level until nothing changes, which decides whether the
//! techniques suffice; a uniform-cost search over its boards, with techniques
//! as moves, tells the least an explanation can cost.

use std::collections::{BTreeSet, HashMap};

use planoku_engine::{End, Engine, Run};
use planoku_sudoku::{Grid, reference};
use planoku_workbench::engine;
use planoku_workbench::formulate::planning::human::{Human, TechniqueLevel, explain};

use crate::corpora;

/// Candidates and solved cells of a board, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Board {
    side: usize,
    /// Per cell, the candidates that are left, as bits.
    left: Vec<u16>,
    solved: Vec<bool>,
}

/// A technique applied: what it costs and the board after it.
type Move = (u64, Board);

impl Board {
    fn new(grid: &Grid) -> Board {
        let shape = grid.shape();
        let bits = |cell| {
            let digits = grid.candidates(cell).iter().map(|d| 1u16 << d.index());
            digits.sum()
        };
        Board {
            side: shape.side(),
            left: shape
                .all_cells()
                .map(|cell| {
                    if grid.get(cell).is_some() {
                        0
                    } else {
                        bits(cell)
                    }
                })
                .collect(),
            solved: shape
                .all_cells()
                .map(|cell| grid.get(cell).is_some())
                .collect(),
        }
    }

    fn is_done(&self) -> bool {
        self.solved.iter().all(|&solved| solved)
    }

    fn spots(&self, house: &[usize], digit: u16) -> Vec<usize> {
        let has = |cell: &&usize| self.left[**cell] & digit != 0;
        house.iter().filter(has).copied().collect()
    }

    fn strike(&mut self, cells: impl IntoIterator<Item = usize>, digits: u16) {
        for cell in cells {
            self.left[cell] &= !digits;
        }
    }

    fn place(&self, cell: usize, digit: u16, houses: &Houses) -> Board {
        let mut next = self.clone();
        for house in houses.all().filter(|house| house.contains(&cell)) {
            next.strike(house.iter().copied().filter(|&other| other != cell), digit);
        }
        next.left[cell] = digit;
        next.solved[cell] = true;
        next
    }

    /// Every way to apply a technique that changes something.
    fn moves(&self, level: TechniqueLevel, houses: &Houses) -> Vec<Move> {
        let mut moves = Vec::new();
        let digits: Vec<u16> = (0..self.side).map(|d| 1 << d).collect();
        for cell in 0..self.left.len() {
            if !self.solved[cell] && self.left[cell].count_ones() == 1 {
                moves.push((23, self.place(cell, self.left[cell], houses)));
            }
        }
        for (kind, house) in houses.named() {
            for &digit in &digits {
                if let [cell] = self.spots(house, digit)[..]
                    && !self.solved[cell]
                {
                    let cost = if kind == "box" { 12 } else { 15 };
                    moves.push((cost, self.place(cell, digit, houses)));
                }
            }
        }
        if level >= TechniqueLevel::Locked {
            for cell_box in &houses.boxes {
                for line in houses.rows.iter().chain(&houses.columns) {
                    for &digit in &digits {
                        for (cost, from, to) in [(26, cell_box, line), (28, line, cell_box)] {
                            let spots = self.spots(from, digit);
                            if spots.len() > 1 && spots.iter().all(|it| to.contains(it)) {
                                let mut next = self.clone();
                                let rest = to.iter().filter(|it| !from.contains(it));
                                next.strike(rest.copied(), digit);
                                moves.push((cost, next));
                            }
                        }
                    }
                }
            }
        }
        if level >= TechniqueLevel::Pairs {
            for (_, house) in houses.named() {
                self.pairs(house, &digits, &mut moves);
            }
        }
        if level >= TechniqueLevel::XWing {
            for (base, cover) in [
                (&houses.rows, &houses.columns),
                (&houses.columns, &houses.rows),
            ] {
                self.wings(base, cover, &digits, &mut moves);
            }
        }
        moves.retain(|(_, next)| next != self);
        moves
    }

    fn pairs(&self, house: &[usize], digits: &[u16], moves: &mut Vec<Move>) {
        for (place, &a) in house.iter().enumerate() {
            for &b in &house[place + 1..] {
                if self.left[a].count_ones() == 2 && self.left[a] == self.left[b] {
                    let mut next = self.clone();
                    let rest = house.iter().copied().filter(|&it| it != a && it != b);
                    next.strike(rest, self.left[a]);
                    moves.push((30, next));
                }
            }
        }
        for (place, &d) in digits.iter().enumerate() {
            for &e in &digits[place + 1..] {
                let spots = self.spots(house, d);
                if spots.len() == 2 && spots == self.spots(house, e) {
                    let mut next = self.clone();
                    next.strike(spots, !(d | e));
                    moves.push((34, next));
                }
            }
        }
    }

    fn wings(
        &self,
        base: &[Vec<usize>],
        cover: &[Vec<usize>],
        digits: &[u16],
        moves: &mut Vec<Move>,
    ) {
        for &digit in digits {
            for (place, one) in base.iter().enumerate() {
                for two in &base[place + 1..] {
                    let across = |line: &[usize]| -> Vec<usize> {
                        let spots = self.spots(line, digit);
                        let of = |cell: &usize| cover.iter().position(|it| it.contains(cell));
                        spots.iter().filter_map(of).collect()
                    };
                    let lines = across(one);
                    if lines.len() == 2 && lines == across(two) {
                        let mut next = self.clone();
                        for line in lines {
                            let rest = cover[line].iter();
                            let rest = rest.filter(|it| !one.contains(it) && !two.contains(it));
                            next.strike(rest.copied(), digit);
                        }
                        moves.push((32, next));
                    }
                }
            }
        }
    }
}

struct Houses {
    rows: Vec<Vec<usize>>,
    columns: Vec<Vec<usize>>,
    boxes: Vec<Vec<usize>>,
}

impl Houses {
    fn new(grid: &Grid) -> Houses {
        let shape = grid.shape();
        let side = shape.side();
        let cells: Vec<_> = shape.all_cells().collect();
        let gather = |of: &dyn Fn(usize) -> usize| -> Vec<Vec<usize>> {
            (0..side)
                .map(|n| (0..cells.len()).filter(|&cell| of(cell) == n).collect())
                .collect()
        };
        Houses {
            rows: gather(&|cell| cell / side),
            columns: gather(&|cell| cell % side),
            boxes: gather(&|cell| shape.box_of(cells[cell])),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Vec<usize>> {
        self.rows.iter().chain(&self.columns).chain(&self.boxes)
    }

    fn named(&self) -> impl Iterator<Item = (&'static str, &Vec<usize>)> {
        let boxes = self.boxes.iter().map(|house| ("box", house));
        let lines = self.rows.iter().chain(&self.columns);
        boxes.chain(lines.map(|house| ("line", house)))
    }
}

/// True if the techniques of a level solve the puzzle.
fn solvable(grid: &Grid, level: TechniqueLevel) -> bool {
    let houses = Houses::new(grid);
    let mut board = Board::new(grid);
    while let Some((_, next)) = board.moves(level, &houses).into_iter().next() {
        board = next;
    }
    board.is_done()
}

/// What the easiest explanation costs, by looking at every board on the way;
/// `None` if more than `limit` boards would have to be looked at.
fn least(grid: &Grid, level: TechniqueLevel, limit: usize) -> Option<u64> {
    let houses = Houses::new(grid);
    let mut open = BTreeSet::from([(0, Board::new(grid))]);
    let mut best: HashMap<Board, u64> = HashMap::new();
    while let Some((cost, board)) = open.pop_first() {
        if board.is_done() {
            return Some(cost);
        }
        if best.len() > limit {
            return None;
        }
        for (price, next) in board.moves(level, &houses) {
            let known = best.entry(next.clone()).or_insert(u64::MAX);
            if cost + price < *known {
                *known = cost + price;
                open.insert((cost + price, next));
            }
        }
    }
    None
}

/// Puzzles of our own, easy and hard.
const PUZZLES: [&str; 8] = [
    "1.....2..3.....4",
    "4.3..........1.3",
    "....3.32..65456.131.2..4..3..1..432.",
    ".....23..4...562.....6.42....1......",
    ".5.8.....3.8..75...6..9....7.9456..3...73.9582...184..8.6..9.....368..49..2..3876",
    "9.7..4.3.3.....5.4..1.95...78......3.....2.....5.1.4....6.7...5......2.....5..8.6",
    "957......3.....594.6.3....2..94561......3.9...3......7.4.2..31...3.81.4.1..5.3..6",
    "................",
];

#[test]
fn the_model_reads_without_a_word() {
    for puzzle in [PUZZLES[0], PUZZLES[4]] {
        let grid: Grid = puzzle.parse().unwrap();
        for level in TechniqueLevel::ALL {
            for hierarchical in [true, false] {
                let human = Human {
                    level,
                    hierarchical,
                };
                let texts = human.texts(&grid, "puzzle");
                let (model, diagnostics) = planoku_planning::read(&texts.domain, &texts.problem);
                let files = [
                    ("domain", &texts.domain[..]),
                    ("problem", &texts.problem[..]),
                ];
                assert_eq!(diagnostics.brief(&files), "");
                assert!(model.is_some());
            }
        }
    }
}

#[test]
fn a_plan_exists_exactly_where_the_techniques_suffice() {
    for puzzle in PUZZLES {
        let grid: Grid = puzzle.parse().unwrap();
        for level in TechniqueLevel::ALL {
            let outcome = explain(&grid, level, &mut Run::default()).unwrap();
            let found = outcome.answers.first();
            assert_eq!(found.is_some(), solvable(&grid, level), "{puzzle}, {level}");
            match found {
                Some(found) => {
                    let [solution] = &reference::solutions(&grid, 2)[..] else {
                        panic!("{puzzle}: explained, but not unique");
                    };
                    assert_eq!(found.grid, *solution);
                    let sum: u64 = found.steps().map(|line| line.rating).sum();
                    assert_eq!(sum, found.cost, "{puzzle}: ratings and costs differ");
                }
                None => assert_eq!(outcome.end, End::Exhausted),
            }
        }
    }
}

#[test]
fn the_explanation_costs_as_little_as_any_and_the_tree_adds_nothing() {
    let mut compared = 0;
    for puzzle in PUZZLES {
        let grid: Grid = puzzle.parse().unwrap();
        if grid.blanks().count() > 13 {
            continue;
        }
        for level in TechniqueLevel::ALL {
            let Some(least) = least(&grid, level, 30_000) else {
                continue;
            };
            let outcome = explain(&grid, level, &mut Run::default()).unwrap();
            assert_eq!(outcome.answers[0].cost, least, "{puzzle}, {level}");
            compared += 1;
        }
    }
    assert!(compared >= 4, "{compared}");
}

#[test]
fn engines_say_nothing_about_puzzles_beyond_their_techniques() {
    let hard: Grid = PUZZLES[5].parse().unwrap();
    for name in ["htn-human:singles", "strips-human:singles"] {
        let engine = engine(name).unwrap();
        let outcome = engine.solve(&hard, &mut Run::default()).unwrap();
        if outcome.answers.is_empty() {
            assert_eq!(outcome.end, End::Incomplete, "{name}");
        }
    }
}

/// Reads puzzles of a corpus outside the project.
fn corpus(name: &str) -> Vec<Grid> {
    let text = std::fs::read_to_string(corpora::path("puzzles").join(name)).unwrap();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

fn costs(name: &str, grids: &[Grid], level: TechniqueLevel) -> Vec<Option<u64>> {
    let engine = format!("{name}:{level}");
    let engine = engine_of(&engine);
    let cost = |grid: &Grid| {
        let outcome = engine.solve(grid, &mut Run::default()).unwrap();
        let text = &outcome.answers.first()?.witness.as_ref()?.text;
        Some(planned_cost(text))
    };
    grids.iter().map(cost).collect()
}

fn engine_of(name: &str) -> planoku_workbench::SudokuEngine {
    engine(name).unwrap_or_else(|| panic!("no engine {name}"))
}

/// The ratings of the steps a plan lists, in either format.
fn planned_cost(text: &str) -> u64 {
    let words = text.lines().filter(|line| !line.contains("->"));
    let rate = |line: &str| {
        let price = |word: &str| match word.trim_matches(['(', ')']) {
            "hidden-single-box" => 12,
            "hidden-single-line" => 15,
            "naked-single" => 23,
            "pointing" => 26,
            "claiming" => 28,
            "naked-pair" => 30,
            "x-wing-rows" | "x-wing-columns" => 32,
            "hidden-pair" => 34,
            _ => 0,
        };
        line.split_whitespace()
            .take(2)
            .map(price)
            .max()
            .unwrap_or(0)
    };
    words.map(rate).sum()
}

#[test]
#[ignore = "needs the corpora in ../shared"]
fn fifty_puzzles_fall_level_by_level_and_the_tree_costs_nothing() {
    let grids = corpus("euler50.txt");
    for (level, solvable_here) in TechniqueLevel::ALL.into_iter().zip([40, 44, 49, 50]) {
        let classical = costs("strips-human", &grids, level);
        assert_eq!(classical.iter().flatten().count(), solvable_here, "{level}");
        assert_eq!(costs("htn-human", &grids, level), classical, "{level}");
        for (grid, cost) in grids.iter().zip(&classical) {
            assert_eq!(cost.is_some(), solvable(grid, level), "{level}: {grid}");
        }
    }
    assert_eq!(
        costs("strips-human", &grids[..1], TechniqueLevel::Singles),
        [Some(588)]
    );
}

#[test]
#[ignore = "needs the corpora in ../shared"]
fn twenty_four_of_the_top_ninety_five_need_no_more_than_x_wings() {
    let found = costs("strips-human", &corpus("top95.txt"), TechniqueLevel::XWing);
    assert_eq!(found.iter().flatten().count(), 24);
}
