//! A board as a picture, for pages and documents.

use super::draw::{Layer, layer};
use crate::Grid;

/// The puzzle as an SVG picture; with a solution, the solution beside it.
pub fn svg(puzzle: &Grid, solution: Option<&Grid>) -> String {
    const CELL: usize = 36;
    const MARGIN: usize = 12;
    let side = puzzle.shape().side() * CELL;
    let boards = 1 + usize::from(solution.is_some());
    let width = MARGIN + boards * (side + MARGIN);
    let height = side + 2 * MARGIN;
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"22\" \
         text-anchor=\"middle\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for (nth, content) in std::iter::once(puzzle).chain(solution).enumerate() {
        let left = MARGIN + nth * (side + MARGIN);
        picture += &format!("<g transform=\"translate({left} {MARGIN})\">\n");
        picture += &digits(puzzle, content, CELL);
        picture += &lines(puzzle, CELL);
        picture += "</g>\n";
    }
    picture + "</svg>\n"
}

fn digits(puzzle: &Grid, content: &Grid, size: usize) -> String {
    let shape = content.shape();
    let mut text = String::new();
    for cell in shape.all_cells() {
        let (colour, weight) = match layer(puzzle, content, cell).0 {
            Layer::Blank => continue,
            Layer::Clue => ("#111", "bold"),
            Layer::Found => ("#1668b8", "normal"),
        };
        let x = shape.column(cell) * size + size / 2;
        let y = shape.row(cell) * size + size * 13 / 18;
        let symbol = layer(puzzle, content, cell).1;
        text += &format!(
            "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\" font-weight=\"{weight}\">{symbol}</text>\n"
        );
    }
    text
}

/// Thin lines between cells, strong ones between boxes.
fn lines(puzzle: &Grid, size: usize) -> String {
    let shape = puzzle.shape();
    let side = shape.side() * size;
    let (mut thin, mut strong) = (String::new(), String::new());
    for at in 0..=shape.side() {
        let place = at * size;
        let down = if at % shape.box_columns() == 0 {
            &mut strong
        } else {
            &mut thin
        };
        *down += &format!("M{place} 0V{side}");
        let across = if at % shape.box_rows() == 0 {
            &mut strong
        } else {
            &mut thin
        };
        *across += &format!("M0 {place}H{side}");
    }
    format!(
        "<path d=\"{thin}\" stroke=\"#bbb\" fill=\"none\"/>\n\
         <path d=\"{strong}\" stroke=\"#111\" stroke-width=\"2\" stroke-linecap=\"square\" fill=\"none\"/>\n"
    )
}
