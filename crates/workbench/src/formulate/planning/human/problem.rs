//! A grid as the problem of explaining it.
//!
//! Blank cells, their candidates and what they have to do with each other are
//! facts that never change. Nothing is struck or solved at the start.

use std::collections::BTreeSet;

use planoku_sudoku::{Grid, HouseKind};

use super::super::text::Text;
use super::{Human, TechniqueLevel, cell_name};

/// The problem's text.
pub(super) fn problem(human: Human, grid: &Grid, name: &str) -> String {
    let shape = grid.shape();
    let domain = match human.hierarchical {
        true => "sudoku-human",
        false => "sudoku-human-strips",
    };
    let mut text = Text::start(name, domain);
    objects(grid, &mut text);
    if human.hierarchical {
        text.single("(:htn :ordered-tasks (and (solve)))");
    }
    text.open("(:init");
    for level in TechniqueLevel::ALL {
        if level > TechniqueLevel::Singles && level <= human.level {
            text.line([format!("(knows {level})")]);
        }
    }
    cells(grid, &mut text);
    for cell in grid.blanks() {
        let name = cell_name(shape, cell);
        let candidates = grid.candidates(cell);
        let facts = candidates
            .iter()
            .map(|d| format!("(candidate {name} d{})", d.get()));
        text.line(facts);
    }
    spots(grid, &mut text);
    orders(grid, &mut text);
    text.close(")");
    if !human.hierarchical {
        text.open("(:goal (and");
        text.line(
            grid.blanks()
                .map(|cell| format!("(solved {})", cell_name(shape, cell))),
        );
        text.close("))");
    }
    text.single("(:metric minimize (total-cost))");
    text.end()
}

fn objects(grid: &Grid, text: &mut Text) {
    let shape = grid.shape();
    text.open("(:objects");
    let cells = grid.blanks().map(|cell| cell_name(shape, cell));
    text.line(cells.chain(["- cell".into()]));
    let digits = shape.digits().map(|digit| format!("d{}", digit.get()));
    text.line(digits.chain(["- digit".into()]));
    for kind in ["row", "column", "box"] {
        let houses = (1..=shape.side()).map(|n| format!("{kind}{n}"));
        text.line(houses.chain([format!("- {kind}")]));
    }
    text.close(")");
}

/// Houses of each cell, the cells it sees, and those after it.
fn cells(grid: &Grid, text: &mut Text) {
    let shape = grid.shape();
    for cell in grid.blanks() {
        let name = cell_name(shape, cell);
        let houses = houses(grid, cell);
        text.line(houses.map(|house| format!("(in {name} {house})")));
        let is_blank = |other: &&planoku_sudoku::Cell| grid.get(**other).is_none();
        let peers = shape.peers(cell).iter().filter(is_blank);
        text.line(peers.map(|&other| format!("(peer {name} {})", cell_name(shape, other))));
    }
}

/// Two houses that share a cell with a candidate for a digit.
fn spots(grid: &Grid, text: &mut Text) {
    let mut spots = BTreeSet::new();
    for cell in grid.blanks() {
        let [row, column, cell_box] = houses(grid, cell);
        for digit in grid.candidates(cell).iter() {
            let digit = digit.get();
            spots.insert((digit, row.clone(), column.clone()));
            spots.insert((digit, cell_box.clone(), row.clone()));
            spots.insert((digit, cell_box.clone(), column.clone()));
        }
    }
    for digit in grid.shape().digits() {
        let of_digit = spots.iter().filter(|spot| spot.0 == digit.get());
        text.line(of_digit.map(|(digit, a, b)| format!("(spot d{digit} {a} {b})")));
    }
}

/// One of the two orders of every pair of cells, digits and lines.
fn orders(grid: &Grid, text: &mut Text) {
    let shape = grid.shape();
    let blanks: Vec<_> = grid.blanks().collect();
    for (place, &cell) in blanks.iter().enumerate() {
        // Only cells that see each other can be a pair.
        let later = blanks[place + 1..].iter();
        let later = later.filter(|other| shape.peers(cell).contains(other));
        let name = cell_name(shape, cell);
        text.line(later.map(|&other| format!("(before {name} {})", cell_name(shape, other))));
    }
    let side = shape.side();
    for low in 1..side {
        text.line((low + 1..=side).map(|high| format!("(less d{low} d{high})")));
    }
    for kind in ["row", "column"] {
        for low in 1..side {
            text.line((low + 1..=side).map(|high| format!("(prior {kind}{low} {kind}{high})")));
        }
    }
}

/// Row, column and box of a cell.
fn houses(grid: &Grid, cell: planoku_sudoku::Cell) -> [String; 3] {
    let shape = grid.shape();
    let mut houses = shape.houses_of(cell);
    houses.sort_by_key(|house| match house.kind {
        HouseKind::Row => 0,
        HouseKind::Column => 1,
        HouseKind::Box => 2,
    });
    houses.map(|house| {
        let kind = match house.kind {
            HouseKind::Row => "row",
            HouseKind::Column => "column",
            HouseKind::Box => "box",
        };
        format!("{kind}{}", usize::from(house.index) + 1)
    })
}
