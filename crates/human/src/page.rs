//! Pages: a whole path with a board for every step, and sheets of puzzles to
//! print.

use planoku_sudoku::Grid;

use crate::picture;
use crate::{Board, Path, Rated, Step};

/// The positions of a path: before each step, and at the end.
///
/// # Panics
/// If the path is not one of the puzzle.
pub fn positions(puzzle: &Grid, steps: &[Step]) -> Vec<Board> {
    let mut board = Board::new(puzzle).expect("a puzzle with a path");
    let mut boards = vec![board.clone()];
    for step in steps {
        board.apply(step);
        boards.push(board.clone());
    }
    boards
}

const PAGE: &str = "\
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:1080px;margin:2rem auto;\
padding:0 1rem;background:#fff;color:#1d2330}h1{font-size:1.5rem;margin:0 0 .3rem}\
p.sum{color:#5d6675;margin:.2rem 0 1rem}table{border-collapse:collapse;margin:1rem 0}\
td,th{padding:.15rem .8rem .15rem 0;text-align:left}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\
section{display:grid;grid-template-columns:minmax(0,480px) minmax(0,1fr);gap:1.4rem;align-items:start;\
border-top:1px solid #d5dae2;padding:1.2rem 0;break-inside:avoid}svg{width:100%;height:auto;display:block}\
h2{font-size:1.05rem;margin:0 0 .4rem}.er{display:inline-block;min-width:2.2em;padding:0 .4em;border-radius:.3em;\
background:#e6ecf5;text-align:center;font-variant-numeric:tabular-nums;margin-right:.5em}\
.hard .er{background:#f9d7b8}p{margin:.3rem 0;overflow-wrap:anywhere}\
details{margin:.3rem 0;font-size:.9rem}summary{cursor:pointer}ol{margin:.3rem 0;padding-left:2.2em}\
@media (max-width:760px){section{grid-template-columns:1fr}}\
@media (prefers-color-scheme:dark){body{background:#171a21;color:#dfe5ee}p.sum{color:#98a3b5}\
section{border-color:#343b48}.er{background:#2a3446}.hard .er{background:#6b431b}}";

/// A page with the whole path: every step in words, on the board it is found on.
pub fn path(puzzle: &Grid, path: &Path) -> String {
    let boards = positions(puzzle, &path.steps);
    let mut text = head("Step by step", &format!("{PAGE}{}", picture::STYLE));
    let rated = &path.rated;
    text += &format!(
        "<h1>Step by step: ER {}, EP {}, ED {}</h1>\n<p class=\"sum\"><code>{puzzle}</code><br>\
         {} steps{}</p>\n<table><tr><th>technique</th><th class=\"n\">from</th><th class=\"n\">steps</th></tr>\n",
        rated.er,
        rated.ep,
        rated.ed,
        rated.steps(),
        rated
            .hardest
            .map_or(String::new(), |technique| format!("; hardest: {technique}"))
    );
    for (technique, count) in rated.histogram() {
        text += &format!(
            "<tr><td>{technique}</td><td class=\"n\">{}</td><td class=\"n\">{count}</td></tr>\n",
            technique.base()
        );
    }
    text += "</table>\n";
    for (nth, (step, board)) in path.steps.iter().zip(&boards).enumerate() {
        let hard = if step.rating == rated.er {
            " class=\"hard\""
        } else {
            ""
        };
        text += &format!(
            "<section{hard} id=\"step-{0}\">\n{1}<div><h2><span class=\"er\">{2}</span>{0}. {3}</h2>\n\
             <p>{4}</p>{5}</div>\n</section>\n",
            nth + 1,
            picture::step(board, puzzle, step),
            step.rating,
            step.technique,
            step.sentence(),
            details(step)
        );
    }
    let last = boards.last().expect("the first position at least");
    text += &format!(
        "<section id=\"end\">\n{}<div><h2>Solved</h2></div>\n</section>\n</body>\n</html>\n",
        picture::board(last, puzzle)
    );
    text
}

/// Chains that branch, link by link, to be unfolded.
fn details(step: &Step) -> String {
    let details = step.details();
    let chains = details.iter().map(|(title, links)| {
        let links: String = links
            .iter()
            .map(|link| format!("<li>{link}</li>"))
            .collect();
        format!("\n<details><summary>{title}</summary><ol>{links}</ol></details>")
    });
    chains.collect()
}

fn head(title: &str, style: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )
}

/// One puzzle of a sheet.
pub struct Sheet {
    /// The puzzle.
    pub puzzle: Grid,
    /// Its solution.
    pub solution: Grid,
    /// Its rating, where it is known.
    pub rated: Option<Rated>,
}

/// How many puzzles a page of a sheet may have.
pub const PER_PAGE: [usize; 4] = [1, 2, 4, 6];

const PRINT: &str = "\
:root{color-scheme:light}@page{size:A4;margin:12mm}*{box-sizing:border-box}\
body{margin:0;font:11pt/1.3 system-ui,sans-serif;color:#111;background:#fff}\
.page{display:grid;gap:8mm 10mm;width:186mm;height:272mm;margin:0 auto;break-after:page;align-content:space-evenly;justify-items:center}\
.page:last-child{break-after:auto}.p1{grid-template-columns:150mm}.p2{grid-template-columns:118mm}\
.p4{grid-template-columns:88mm 88mm}.p6{grid-template-columns:78mm 78mm}\
.p1,.p2{justify-content:center}.p4,.p6{justify-content:space-evenly}\
.answers{grid-template-columns:repeat(4,42mm);justify-content:space-between;gap:4mm}\
.rest,.answers{align-content:start}figure{margin:0;width:100%}figcaption{display:flex;justify-content:space-between;padding:0 .5mm 1mm;font-size:10pt}\
.answers figcaption{font-size:8pt}svg{display:block;width:100%;height:auto}\
@media screen{body{background:#e9ecf1;padding:8mm 0}.page{background:#fff;width:210mm;height:297mm;padding:12mm;margin:0 auto 8mm}}";

/// Sheets to print: so many puzzles a page, the answers at the end, ratings
/// beside the numbers.
///
/// # Panics
/// If a page cannot have so many; see [`PER_PAGE`].
pub fn sheets(puzzles: &[Sheet], per_page: usize) -> String {
    assert!(PER_PAGE.contains(&per_page), "1, 2, 4 or 6 a page");
    let mut text = head("Sudoku", PRINT);
    let numbered: Vec<(usize, &Sheet)> = (1..).zip(puzzles).collect();
    for page in numbered.chunks(per_page) {
        // A page that is not full begins at its top.
        let rest = if page.len() < per_page { " rest" } else { "" };
        text += &format!("<div class=\"page p{per_page}{rest}\">\n");
        for (number, sheet) in page {
            text += &figure(*number, sheet, &sheet.puzzle);
        }
        text += "</div>\n";
    }
    for page in numbered.chunks(20) {
        text += "<div class=\"page answers\">\n";
        for (number, sheet) in page {
            text += &figure(*number, sheet, &sheet.solution);
        }
        text += "</div>\n";
    }
    text + "</body>\n</html>\n"
}

fn figure(number: usize, sheet: &Sheet, content: &Grid) -> String {
    let rating = sheet
        .rated
        .as_ref()
        .map_or(String::new(), |rated| format!("ER {}", rated.er));
    format!(
        "<figure><figcaption><b>{number}</b><span>{rating}</span></figcaption>\n{}</figure>\n",
        plain(&sheet.puzzle, content)
    )
}

/// A board in black on white, clues bold.
fn plain(puzzle: &Grid, content: &Grid) -> String {
    let shape = content.shape();
    let (cell, side) = (40, shape.side() * 40);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-3 -3 {0} {0}\" \
         font-family=\"system-ui,sans-serif\" font-size=\"25\" text-anchor=\"middle\">\n",
        side + 6
    );
    for (at, digit) in content.clues() {
        let weight = if puzzle.get(at).is_some() {
            "600"
        } else {
            "300"
        };
        text += &format!(
            "<text x=\"{}\" y=\"{}\" font-weight=\"{weight}\">{digit}</text>\n",
            shape.column(at) * cell + cell / 2,
            shape.row(at) * cell + 29
        );
    }
    let (mut thin, mut strong) = (String::new(), String::new());
    for nth in 0..=shape.side() {
        let place = nth * cell;
        let down = if nth % shape.box_columns() == 0 {
            &mut strong
        } else {
            &mut thin
        };
        *down += &format!("M{place} 0V{side}");
        let across = if nth % shape.box_rows() == 0 {
            &mut strong
        } else {
            &mut thin
        };
        *across += &format!("M0 {place}H{side}");
    }
    text + &format!(
        "<path d=\"{thin}\" stroke=\"#999\" fill=\"none\"/>\n<path d=\"{strong}\" stroke=\"#000\" \
         stroke-width=\"3\" stroke-linecap=\"square\" fill=\"none\"/>\n</svg>\n"
    )
}
