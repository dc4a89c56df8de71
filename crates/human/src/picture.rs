//! A position and a step as a picture: SVG for pages and documents, in light
//! and dark.
//!
//! Houses the step rests on are shaded, candidates it rests on stand on a
//! coloured ground by their role, what is struck is crossed out, what is placed
//! stands large in a ring. Chains are arrows from cause to effect, drawn solid
//! where a candidate turns true and dashed where it turns false.

use planoku_sudoku::{Cell, Grid, HouseKind, Shape};

use crate::{Board, Candidate, Role, Step};

/// The colours and fonts of [`board`] and [`step`], for a page that holds many
/// of them.
pub const STYLE: &str = "\
.pk{--paper:#fff;--line:#b6bcc6;--strong:#1d2330;--clue:#1d2330;--found:#1461b0;--mark:#5d6675;\
--house:#eef3fb;--pattern:#c6e6c3;--pivot:#d9c9f2;--extra:#ffdca8;--helper:#fff2a8;--struck:#c4281c;\
--struckbg:#fbd9d5;--placed:#1d7a34;--arrow:#7a3fb4;font-family:system-ui,sans-serif;text-anchor:middle}\
@media (prefers-color-scheme:dark){.pk{--paper:#171a21;--line:#434b5a;--strong:#c9d1de;--clue:#eef2f8;\
--found:#7db7f5;--mark:#98a3b5;--house:#202836;--pattern:#22512a;--pivot:#48356b;--extra:#6a4a12;\
--helper:#585011;--struck:#ff8a7d;--struckbg:#5b2521;--placed:#6fd98a;--arrow:#c79bf2}}\
.pk .paper{fill:var(--paper)}.pk .thin{stroke:var(--line);fill:none}\
.pk .strong{stroke:var(--strong);stroke-width:2.5;fill:none;stroke-linecap:square}\
.pk .clue{fill:var(--clue);font-size:30px;font-weight:600}.pk .found{fill:var(--found);font-size:30px}\
.pk .mark{fill:var(--mark);font-size:12px}.pk .house{fill:var(--house)}\
.pk .pattern{fill:var(--pattern)}.pk .pivot{fill:var(--pivot)}.pk .extra{fill:var(--extra)}\
.pk .helper{fill:var(--helper)}.pk .struckbg{fill:var(--struckbg)}\
.pk .struck{fill:var(--struck);font-size:12px;font-weight:700}.pk .cross{stroke:var(--struck);stroke-width:1.5}\
.pk .placed{fill:var(--placed);font-size:32px;font-weight:700}\
.pk .ring{fill:none;stroke:var(--placed);stroke-width:2.5}\
.pk .on,.pk .off{stroke:var(--arrow);stroke-width:1.6;fill:none;opacity:.85}.pk .off{stroke-dasharray:4 3}\
.pk .head{fill:var(--arrow)}";

/// The side of a cell.
const CELL: usize = 52;
const MARGIN: usize = 6;
const SIDE: usize = 9 * CELL + 2 * MARGIN;

/// A position with its candidates, as an SVG element without its style.
pub fn board(board: &Board, clues: &Grid) -> String {
    element(&layers(board, clues, None), "")
}

/// A position and the step from it, as an SVG element without its style.
pub fn step(board: &Board, clues: &Grid, step: &Step) -> String {
    element(&layers(board, clues, Some(step)), "")
}

/// A position and perhaps the step from it as a picture of its own.
///
/// ```
/// use planoku_human::{Board, picture};
///
/// let grid = ".".repeat(81).parse().unwrap();
/// let picture = picture::alone(&Board::new(&grid).unwrap(), &grid, None);
/// assert!(picture.starts_with("<svg xmlns="));
/// ```
pub fn alone(board: &Board, clues: &Grid, step: Option<&Step>) -> String {
    let style = format!("<style>{STYLE}</style>\n");
    element(&layers(board, clues, step), &style)
}

fn element(layers: &str, style: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pk\" viewBox=\"0 0 {SIDE} {SIDE}\" \
         width=\"{SIDE}\" height=\"{SIDE}\">\n{style}<rect class=\"paper\" width=\"{SIDE}\" \
         height=\"{SIDE}\"/>\n<g transform=\"translate({MARGIN} {MARGIN})\">\n{layers}</g>\n</svg>\n"
    )
}

fn layers(board: &Board, clues: &Grid, step: Option<&Step>) -> String {
    let mut text = String::new();
    if let Some(step) = step {
        houses(step, &mut text);
        grounds(step, &mut text);
    }
    digits(board, clues, step, &mut text);
    lines(&mut text);
    if let Some(step) = step {
        arrows(step, &mut text);
    }
    text
}

fn corner(cell: Cell) -> (usize, usize) {
    (cell.index() % 9 * CELL, cell.index() / 9 * CELL)
}

/// The middle of a candidate.
fn middle(candidate: Candidate) -> (f64, f64) {
    let (x, y) = corner(candidate.cell);
    let third = CELL as f64 / 3.0;
    let digit = candidate.digit.index();
    let at = |nth: usize| third * (nth as f64 + 0.5);
    (x as f64 + at(digit % 3), y as f64 + at(digit / 3))
}

fn houses(step: &Step, text: &mut String) {
    for house in &step.houses {
        let nth = usize::from(house.index);
        let (x, y, width, height) = match house.kind {
            HouseKind::Row => (0, nth, 9, 1),
            HouseKind::Column => (nth, 0, 1, 9),
            HouseKind::Box => (nth % 3 * 3, nth / 3 * 3, 3, 3),
        };
        *text += &format!(
            "<rect class=\"house\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
            x * CELL,
            y * CELL,
            width * CELL,
            height * CELL
        );
    }
}

/// Coloured grounds below the candidates a step rests on or strikes.
fn grounds(step: &Step, text: &mut String) {
    let mut ground = |candidate: Candidate, class: &str| {
        // The ring of what is placed says enough.
        if step
            .placement
            .is_some_and(|placed| placed.cell == candidate.cell)
        {
            return;
        }
        let (x, y) = middle(candidate);
        *text += &format!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"8.4\"/>\n");
    };
    for cause in &step.causes {
        ground(cause.candidate, class(cause.role));
    }
    for node in step.chains.iter().flat_map(|chain| &chain.nodes) {
        ground(node.candidate, if node.on { "pattern" } else { "helper" });
    }
    for candidate in &step.eliminations {
        ground(*candidate, "struckbg");
    }
}

fn class(role: Role) -> &'static str {
    match role {
        Role::Pattern => "pattern",
        Role::Pivot => "pivot",
        Role::Extra => "extra",
        Role::Helper => "helper",
    }
}

fn digits(board: &Board, clues: &Grid, step: Option<&Step>, text: &mut String) {
    let struck = |candidate| step.is_some_and(|step| step.eliminations.contains(&candidate));
    let placement = step.and_then(|step| step.placement);
    for cell in Shape::Three.all_cells() {
        let (x, y) = corner(cell);
        let (centre, base) = (x + CELL / 2, y + CELL / 2 + 11);
        if let Some(digit) = board.get(cell) {
            let class = if clues.get(cell).is_some() {
                "clue"
            } else {
                "found"
            };
            *text +=
                &format!("<text class=\"{class}\" x=\"{centre}\" y=\"{base}\">{digit}</text>\n");
            continue;
        }
        if let Some(placed) = placement.filter(|placed| placed.cell == cell) {
            *text += &format!(
                "<circle class=\"ring\" cx=\"{centre}\" cy=\"{}\" r=\"21\"/>\n\
                 <text class=\"placed\" x=\"{centre}\" y=\"{base}\">{}</text>\n",
                y + CELL / 2,
                placed.digit
            );
            continue;
        }
        for digit in board.candidates(cell).iter() {
            let candidate = Candidate { cell, digit };
            let (x, y) = middle(candidate);
            let class = if struck(candidate) { "struck" } else { "mark" };
            *text += &format!(
                "<text class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\">{digit}</text>\n",
                y + 4.2
            );
            if struck(candidate) {
                *text += &format!(
                    "<path class=\"cross\" d=\"M{:.1} {:.1}l12 -12\"/>\n",
                    x - 6.0,
                    y + 6.0
                );
            }
        }
    }
}

fn lines(text: &mut String) {
    let side = 9 * CELL;
    let (mut thin, mut strong) = (String::new(), String::new());
    for at in 0..=9 {
        let place = at * CELL;
        let path = if at % 3 == 0 { &mut strong } else { &mut thin };
        *path += &format!("M{place} 0V{side}M0 {place}H{side}");
    }
    *text +=
        &format!("<path class=\"thin\" d=\"{thin}\"/>\n<path class=\"strong\" d=\"{strong}\"/>\n");
}

/// More links than this would hide the board; the words tell the rest.
const MOST_ARROWS: usize = 60;

/// Implications, bent a little so that there and back can be told apart.
fn arrows(step: &Step, text: &mut String) {
    let chains = step.chains.iter().filter(|chain| !chain.nested);
    let links = chains.flat_map(|chain| {
        chain.nodes.iter().flat_map(move |node| {
            let parents = node.parents.iter();
            parents.filter_map(move |parent| Some((chain.nodes.get(*parent)?.candidate, node)))
        })
    });
    for (from, node) in links.take(MOST_ARROWS) {
        let ((x1, y1), (x2, y2)) = (middle(from), middle(node.candidate));
        let (dx, dy) = (x2 - x1, y2 - y1);
        let length = dx.hypot(dy);
        // Off and on of one candidate are one place.
        if length < 1.0 {
            continue;
        }
        let (ux, uy) = (dx / length, dy / length);
        let (x1, y1) = (x1 + 7.0 * ux, y1 + 7.0 * uy);
        let (x2, y2) = (x2 - 9.0 * ux, y2 - 9.0 * uy);
        let bend = (length * 0.12).min(18.0);
        let (cx, cy) = ((x1 + x2) / 2.0 - bend * uy, (y1 + y2) / 2.0 + bend * ux);
        let class = if node.on { "on" } else { "off" };
        *text += &format!(
            "<path class=\"{class}\" d=\"M{x1:.1} {y1:.1}Q{cx:.1} {cy:.1} {x2:.1} {y2:.1}\"/>\n\
             <path class=\"head\" d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z\"/>\n",
            x2 + 3.0 * ux,
            y2 + 3.0 * uy,
            x2 - 3.5 * ux - 3.0 * uy,
            y2 - 3.5 * uy + 3.0 * ux,
            x2 - 3.5 * ux + 3.0 * uy,
            y2 - 3.5 * uy - 3.0 * ux
        );
    }
}
