//! The canonical form the slow, obvious way: every arrangement of rows and
//! columns is tried, digits named as they come. It judges the fast way.

use crate::{Digit, Grid, Shape};

/// The smallest image of the board, and how many arrangements give it.
pub fn canonical(grid: &Grid) -> (Grid, u64) {
    let shape = grid.shape();
    let side = shape.side();
    let cells: Vec<u8> = grid
        .cells()
        .iter()
        .map(|c| c.map_or(0, Digit::get))
        .collect();
    let (mut best, mut count) = (vec![u8::MAX; cells.len()], 0);
    for turned in [false, true] {
        if turned && shape.box_rows() != shape.box_columns() {
            continue;
        }
        for rows in arrangements(side, shape.box_rows()) {
            for columns in arrangements(side, shape.box_columns()) {
                let at = |place: usize| {
                    let (row, column) = (rows[place / side], columns[place % side]);
                    match turned {
                        true => cells[column * side + row],
                        false => cells[row * side + column],
                    }
                };
                match offer(&mut best, at) {
                    std::cmp::Ordering::Less => count = 1,
                    std::cmp::Ordering::Equal => count += 1,
                    std::cmp::Ordering::Greater => {}
                }
            }
        }
    }
    let form = Grid::from_cells(best.iter().map(|digit| Digit::new(*digit))).unwrap();
    let used = shape
        .digits()
        .filter(|d| grid.cells().contains(&Some(*d)))
        .count();
    let unused: u64 = (1..=(side - used) as u64).product();
    (form, count * unused)
}

/// How the image compares with the best so far, which it replaces if smaller.
fn offer(best: &mut [u8], at: impl Fn(usize) -> u8) -> std::cmp::Ordering {
    let mut names = [0u8; 32];
    let mut named = 0;
    let mut smaller = false;
    for (place, best) in best.iter_mut().enumerate() {
        let digit = at(place);
        let name = &mut names[usize::from(digit)];
        if digit > 0 && *name == 0 {
            named += 1;
            *name = named;
        }
        if !smaller && *name > *best {
            return std::cmp::Ordering::Greater;
        }
        smaller |= *name < *best;
        if smaller {
            *best = *name;
        }
    }
    match smaller {
        true => std::cmp::Ordering::Less,
        false => std::cmp::Ordering::Equal,
    }
}

/// Every order of `side` lines that keeps groups of `size` together.
fn arrangements(side: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for group in orders(side / size).into_iter() {
        let mut some: Vec<Vec<usize>> = vec![Vec::new()];
        for block in group {
            let members = orders(size);
            some = some
                .iter()
                .flat_map(|before| {
                    members.iter().map(move |order| {
                        let here = order.iter().map(|nth| block * size + nth);
                        before.iter().copied().chain(here).collect()
                    })
                })
                .collect();
        }
        all.extend(some);
    }
    all.remove(0);
    all
}

fn orders(length: usize) -> Vec<Vec<usize>> {
    if length == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in orders(length - 1) {
        for at in 0..length {
            let mut order = shorter.clone();
            order.insert(at, length - 1);
            all.push(order);
        }
    }
    all
}

#[test]
fn there_are_as_many_arrangements_as_known() {
    let count = |shape: Shape, size| arrangements(shape.side(), size).len();
    assert_eq!(count(Shape::Two, 2), 8);
    assert_eq!(
        count(Shape::TwoByThree, 2) * count(Shape::TwoByThree, 3),
        48 * 72
    );
    assert_eq!(2 * count(Shape::Three, 3).pow(2), 3_359_232);
}
