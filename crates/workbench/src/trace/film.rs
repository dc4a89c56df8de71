//! A trace as an animated picture: one SVG file that any browser plays.
//!
//! Every box that ever stands in a cell is drawn once and shown and hidden by a
//! discrete animation; so are the boxes of the piles, the mark on the cell that
//! changes, and the sentence below. No script, so it also plays inside a page.

use std::fmt::Write;

use planoku_sudoku::{Cell, Digit};

use super::{Player, Trace, TraceEvent};

/// How the picture plays.
#[derive(Clone, Copy, Debug)]
pub struct Film {
    /// Seconds a step is shown.
    pub pace: f64,
    /// Steps shown at most.
    pub steps: usize,
}

impl Default for Film {
    fn default() -> Film {
        Film {
            pace: 0.6,
            steps: 1000,
        }
    }
}

const CELL: usize = 44;
const MARGIN: usize = 24;

/// The animated picture of a trace, and how many steps were left out.
pub fn animate(trace: &Trace, film: Film) -> (String, usize) {
    let frames = frames(trace, film.steps);
    let visible = trace.events.iter().filter(|event| event.is_visible());
    let left_out = visible.count() + 1 - frames.len();
    let shape = trace.header.puzzle.shape();
    let side = shape.side();
    let board = side * CELL;
    let piles_left = MARGIN + board + 40;
    let width = (piles_left + 30 + side * 14 + MARGIN).max(560);
    let height = MARGIN + board + 90;
    let clock = Clock {
        frames: frames.len(),
        seconds: film.pace * (frames.len() + 3) as f64,
    };

    let mut svg = String::new();
    let out = &mut svg;
    line(
        out,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\">"
        ),
    );
    let title = escape(&trace.header.title());
    line(out, format_args!("<title>{title}</title>"));
    line(
        out,
        format_args!(
            "<style>text{{text-anchor:middle;dominant-baseline:central}} .given{{fill:#222;font-weight:bold}} .placed{{fill:#1b62b5}} .wrong{{fill:#c0231c;font-weight:bold}} .say{{text-anchor:start;fill:#222}} .pile{{fill:#d8b98a;stroke:#8a6a3a}}</style>"
        ),
    );
    line(
        out,
        format_args!("<rect width=\"{width}\" height=\"{height}\" fill=\"#fbf8f2\"/>"),
    );

    // The cell that changes is marked while it does.
    for cell in shape.all_cells() {
        let shown = clock.shown(frames.iter().map(|frame| frame.cell == Some(cell)));
        if !shown.is_empty() {
            let (x, y) = corner(trace, cell);
            line(
                out,
                format_args!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"#ffe9a8\" opacity=\"0\">{shown}</rect>"
                ),
            );
        }
    }
    draw_lines(out, trace, board);

    for cell in shape.all_cells() {
        let (x, y) = corner(trace, cell);
        let (x, y) = (x + CELL / 2, y + CELL / 2);
        if let Some(clue) = trace.header.puzzle.get(cell) {
            line(
                out,
                format_args!(
                    "<text class=\"given\" x=\"{x}\" y=\"{y}\" font-size=\"22\">{clue}</text>"
                ),
            );
            continue;
        }
        for digit in shape.digits() {
            let shown = clock.shown(
                frames
                    .iter()
                    .map(|frame| frame.cells[cell.index()] == Some(digit)),
            );
            if !shown.is_empty() {
                let solution = trace.header.solution.as_ref();
                let wrong = solution.is_some_and(|solution| solution.get(cell) != Some(digit));
                let class = if wrong { "wrong" } else { "placed" };
                line(
                    out,
                    format_args!(
                        "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"22\" opacity=\"0\">{digit}{shown}</text>"
                    ),
                );
            }
        }
    }

    for digit in shape.digits() {
        let y = MARGIN + digit.index() * CELL + CELL / 2;
        line(
            out,
            format_args!(
                "<text x=\"{}\" y=\"{y}\" font-size=\"16\" fill=\"#222\">{digit}</text>",
                piles_left
            ),
        );
        for nth in 0..side {
            let holds = |frame: &Frame| frame.piles[digit.index()] > nth;
            let shown = clock.shown(frames.iter().map(holds));
            if !shown.is_empty() {
                line(
                    out,
                    format_args!(
                        "<rect class=\"pile\" x=\"{}\" y=\"{}\" width=\"12\" height=\"20\" opacity=\"0\">{shown}</rect>",
                        piles_left + 16 + nth * 14,
                        y - 10
                    ),
                );
            }
        }
    }

    let baseline = MARGIN + board + 30;
    for (nth, frame) in frames.iter().enumerate() {
        let shown = clock.shown((0..frames.len()).map(|other| other == nth));
        line(
            out,
            format_args!(
                "<text class=\"say\" x=\"{MARGIN}\" y=\"{baseline}\" font-size=\"15\" opacity=\"0\">{nth}. {}{shown}</text>",
                escape(&frame.caption)
            ),
        );
    }
    line(
        out,
        format_args!(
            "<text class=\"say\" x=\"{MARGIN}\" y=\"{}\" font-size=\"12\" fill-opacity=\"0.6\">{title}</text>",
            baseline + 28,
        ),
    );
    svg.push_str("</svg>\n");
    (svg, left_out)
}

/// The table after one visible event.
struct Frame {
    cells: Vec<Option<Digit>>,
    piles: Vec<usize>,
    cell: Option<Cell>,
    caption: String,
}

fn frames(trace: &Trace, limit: usize) -> Vec<Frame> {
    let mut player = Player::new(trace);
    let frame = |player: &Player<'_>, event: Option<&TraceEvent>| {
        let digits = trace.header.puzzle.shape().digits();
        Frame {
            cells: player.board().cells().to_vec(),
            piles: digits.map(|digit| player.pile(digit)).collect(),
            cell: event.and_then(|event| player.touched(event)),
            caption: event.map_or("the puzzle".to_owned(), |event| player.sentence(event)),
        }
    };
    let mut frames = vec![frame(&player, None)];
    while frames.len() <= limit && player.forward_to(TraceEvent::is_visible) {
        frames.push(frame(&player, player.last()));
    }
    frames
}

/// Turns "shown in these frames" into an animation.
struct Clock {
    frames: usize,
    seconds: f64,
}

impl Clock {
    /// Nothing if it is never shown.
    fn shown(&self, frames: impl Iterator<Item = bool>) -> String {
        let (mut values, mut times) = (String::new(), String::new());
        let (mut last, mut ever) = (None, false);
        for (nth, on) in frames.enumerate() {
            ever |= on;
            if last != Some(on) {
                let separator = if nth == 0 { "" } else { ";" };
                // The last frame stays for three more, before it begins anew.
                let time = nth as f64 / (self.frames + 3) as f64;
                let _ = write!(values, "{separator}{}", u8::from(on));
                let _ = write!(times, "{separator}{time:.5}");
                last = Some(on);
            }
        }
        if !ever {
            return String::new();
        }
        format!(
            "<animate attributeName=\"opacity\" calcMode=\"discrete\" dur=\"{:.1}s\" repeatCount=\"indefinite\" values=\"{values}\" keyTimes=\"{times}\"/>",
            self.seconds
        )
    }
}

fn corner(trace: &Trace, cell: Cell) -> (usize, usize) {
    let shape = trace.header.puzzle.shape();
    (
        MARGIN + shape.column(cell) * CELL,
        MARGIN + shape.row(cell) * CELL,
    )
}

fn draw_lines(out: &mut String, trace: &Trace, board: usize) {
    let shape = trace.header.puzzle.shape();
    for nth in 0..=shape.side() {
        let at = MARGIN + nth * CELL;
        let end = MARGIN + board;
        let weight = |of: usize| if nth % of == 0 { 2.5 } else { 0.7 };
        let (row, column) = (weight(shape.box_rows()), weight(shape.box_columns()));
        line(
            out,
            format_args!(
                "<path d=\"M{MARGIN} {at}H{end}\" stroke=\"#333\" stroke-width=\"{row}\"/>"
            ),
        );
        line(
            out,
            format_args!(
                "<path d=\"M{at} {MARGIN}V{end}\" stroke=\"#333\" stroke-width=\"{column}\"/>"
            ),
        );
    }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
    out.push('\n');
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
