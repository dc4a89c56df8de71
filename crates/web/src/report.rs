//! Reports as data, and as single files that draw themselves.
//!
//! A report is JSON; `static/report/` draws it. The view of the page asks for
//! the JSON, `planoku compare -o` and `planoku reproduce -o` write it into a
//! file together with the same modules and styles, so that both are one page.

use planoku_workbench::chart::{short_count, short_time};
use planoku_workbench::compare::{Claim, EngineComparison, disagreements, summaries};
use planoku_workbench::reproduce::{Chapter, ClaimVerdict, Paper};
use serde::Serialize;
use utoipa::ToSchema;

use crate::assets::ASSETS;

/// By what and where something was measured.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Provenance {
    /// Of Planoku.
    pub version: String,
    /// The processor, and the system.
    pub machine: String,
    /// How many threads run at once.
    pub cores: usize,
}

impl Provenance {
    /// Here and now.
    pub fn here() -> Provenance {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = info
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| key.trim() == "model name")
            .map_or(std::env::consts::ARCH, |(_, value)| value.trim())
            .to_owned();
        Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            machine: format!("{model} ({})", std::env::consts::OS),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// The same puzzles through many engines.
#[derive(Serialize, ToSchema)]
pub struct Comparison {
    /// By what and where.
    pub made: Provenance,
    /// Names.
    pub engines: Vec<String>,
    /// Cells, row by row.
    pub puzzles: Vec<String>,
    /// One for each engine and puzzle.
    pub results: Vec<EngineOutcome>,
    /// The engines, those that decided everything first, fastest first.
    pub order: Vec<usize>,
    /// What each search was allowed, in words.
    pub budget: String,
    /// How often each pair was timed.
    pub rounds: usize,
    /// True if time ran out before everything was measured.
    pub cut_short: bool,
    /// Puzzles on which engines contradict each other.
    pub disagreements: Vec<Dispute>,
}

/// One engine on one puzzle.
#[derive(Serialize, ToSchema)]
pub struct EngineOutcome {
    /// Index into `engines`.
    pub engine: usize,
    /// Index into `puzzles`.
    pub puzzle: usize,
    /// `solved`, `no solution`, `gave up`, `stopped`, `refused` or `wrong`.
    pub claim: &'static str,
    /// The solution, verified.
    pub solution: Option<String>,
    /// Search nodes.
    pub nodes: u64,
    /// The middle of the times.
    pub seconds: f64,
}

/// A puzzle on which engines contradict each other.
#[derive(Serialize, ToSchema)]
pub struct Dispute {
    /// Index into `puzzles`.
    pub puzzle: usize,
    /// Who says what.
    pub sides: Vec<Side>,
}

/// What some engines say.
#[derive(Serialize, ToSchema)]
pub struct Side {
    /// What.
    pub says: String,
    /// Who.
    pub names: Vec<String>,
}

/// The papers, checked.
#[derive(Serialize, ToSchema)]
pub struct Papers {
    /// By what and where.
    pub made: Provenance,
    /// One for each paper.
    pub chapters: Vec<PaperRow>,
}

/// A paper, checked.
#[derive(Clone, Serialize, ToSchema)]
#[schema(as = CheckedPaper)]
pub struct PaperRow {
    /// `csp`, `blocks`, `hddl` or `pddl`.
    pub name: &'static str,
    /// Title, authors and year.
    pub citation: String,
    /// What it claims, in a sentence.
    pub claim: &'static str,
    /// What we found, in a sentence.
    pub verdict: String,
    /// What the verdict says, at length.
    pub summary: Vec<String>,
    /// Figures side by side.
    pub tables: Vec<ReportTable>,
}

/// Figures side by side.
#[derive(Clone, Serialize, ToSchema)]
pub struct ReportTable {
    /// What it shows.
    pub title: String,
    /// The heads of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<ReportRow>,
    /// What to keep in mind.
    pub notes: Vec<String>,
}

/// A row of a table.
#[derive(Clone, Serialize, ToSchema)]
pub struct ReportRow {
    /// One text for each column.
    pub cells: Vec<String>,
    /// What we say to it.
    pub verdict: String,
    /// `good` if the claim came out, `bad` if not, `muted` otherwise.
    pub tone: &'static str,
}

/// A comparison as data.
pub fn comparison(report: &EngineComparison) -> Comparison {
    let results = report.results.iter().map(|measured| EngineOutcome {
        engine: measured.engine,
        puzzle: measured.puzzle,
        claim: measured.claim.name(),
        solution: match &measured.claim {
            Claim::Solved(grid) => Some(grid.to_string()),
            _ => None,
        },
        nodes: measured.nodes,
        seconds: measured.time().as_secs_f64(),
    });
    let disputes = disagreements(report).into_iter().map(|found| Dispute {
        puzzle: found.puzzle,
        sides: (found.sides.into_iter())
            .map(|(says, names)| Side {
                says: says.to_string(),
                names: names.iter().map(ToString::to_string).collect(),
            })
            .collect(),
    });
    Comparison {
        made: Provenance::here(),
        engines: report.engines.clone(),
        puzzles: report.puzzles.iter().map(ToString::to_string).collect(),
        results: results.collect(),
        order: summaries(report).iter().map(|row| row.index).collect(),
        budget: match (report.budget.time, report.budget.nodes) {
            (Some(time), _) => format!("{} for each search", short_time(time.as_secs_f64())),
            (None, Some(nodes)) => format!("{} nodes for each search", short_count(nodes as f64)),
            (None, None) => "no limit".to_owned(),
        },
        rounds: report.rounds,
        cut_short: report.cut_short,
        disagreements: disputes.collect(),
    }
}

/// A chapter as data.
pub fn checked(chapter: &Chapter) -> PaperRow {
    let tables = chapter.tables.iter().map(|table| ReportTable {
        title: table.title.clone(),
        head: table.head.iter().map(ToString::to_string).collect(),
        rows: (table.rows.iter())
            .map(|row| ReportRow {
                cells: row.cells.clone(),
                verdict: row.verdict.words(),
                tone: match &row.verdict {
                    verdict if verdict.holds() => "good",
                    verdict if verdict.fails() => "bad",
                    _ => "muted",
                },
            })
            .collect(),
        notes: table.notes.clone(),
    });
    PaperRow {
        name: chapter.paper.name(),
        citation: chapter.citation.to_owned(),
        claim: claim(chapter.paper),
        verdict: verdict(chapter),
        summary: chapter.summary.clone(),
        tables: tables.collect(),
    }
}

/// What a paper claims, in a sentence.
fn claim(paper: Paper) -> &'static str {
    match paper {
        Paper::Csp => {
            "Backtracking, backjumping and conflict-directed backjumping visit so many nodes on \
             24 puzzles, without and with arc consistency, and take so long."
        }
        Paper::Blocks => {
            "Robots that place boxes on a table by four models solve so many of a hundred \
             puzzles, and a model that takes boxes away again solves the rest."
        }
        Paper::Hddl => {
            "Sudoku can be written in HDDL, and planning is slower than other ways to solve it."
        }
        Paper::Pddl => {
            "In PDDL the branching factor of Sudoku is too high, and the most constrained tile \
             should come first."
        }
    }
}

/// What came out, in a sentence: counted, not written.
fn verdict(chapter: &Chapter) -> String {
    let rows = || chapter.tables.iter().flat_map(|table| &table.rows);
    let count =
        |test: &dyn Fn(&ClaimVerdict) -> bool| rows().filter(|row| test(&row.verdict)).count();
    let judged = count(&|verdict| *verdict != ClaimVerdict::New);
    let exact = count(&|verdict| *verdict == ClaimVerdict::Exact);
    let holds = count(&ClaimVerdict::holds);
    let fails = count(&ClaimVerdict::fails);
    format!(
        "Of {judged} rows that can be judged, {holds} are reproduced ({exact} of them exactly), \
         {fails} are not."
    )
}

/// The page that `planoku compare -o` writes.
pub fn comparison_page(report: &EngineComparison) -> String {
    let data = serde_json::to_string(&comparison(report)).unwrap_or_default();
    single_file("Planoku: engines compared", "showComparison", &data)
}

/// The page that `planoku reproduce -o` writes.
pub fn papers_page(chapters: &[Chapter]) -> String {
    let papers = Papers {
        made: Provenance::here(),
        chapters: chapters.iter().map(checked).collect(),
    };
    let data = serde_json::to_string(&papers).unwrap_or_default();
    single_file("Planoku: the papers checked", "showPapers", &data)
}

/// The modules a report needs, in the order of their imports.
const MODULES: [&str; 7] = [
    "lib/dom.js",
    "lib/puzzle.js",
    "lib/board.js",
    "report/charts.js",
    "report/made.js",
    "report/compare.js",
    "report/papers.js",
];
const STYLES: [&str; 3] = ["style/base.css", "style/board.css", "style/report.css"];

fn single_file(title: &str, show: &str, data: &str) -> String {
    let script: String = MODULES
        .iter()
        .map(|path| plain_script(asset(path)))
        .collect();
    let style: String = STYLES.iter().map(|path| asset(path)).collect();
    // Within a script element, nothing but `<` could end it.
    let data = data.replace('<', "\\u003c");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{style}</style>\n</head>\n<body>\n<main><div class=\"report\" id=\"report\">\
         <noscript>The charts and tables of this page are drawn by the script in it; the data is \
         at its end, as JSON.</noscript></div></main>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>\n\"use strict\";\n(() => {{\n{script}\n\
         {show}(document.getElementById(\"report\"), \
         JSON.parse(document.getElementById(\"data\").textContent));\n}})();\n</script>\n\
         </body>\n</html>\n"
    )
}

fn asset(path: &str) -> &'static str {
    let found = ASSETS.iter().find(|asset| asset.path == path);
    found.map_or("", |asset| asset.text())
}

/// A module as part of one script: names are unique among the modules, so that
/// without imports and exports they stand side by side.
fn plain_script(module: &str) -> String {
    let lines = module.lines().filter(|line| !line.starts_with("import "));
    lines
        .map(|line| line.strip_prefix("export ").unwrap_or(line).to_owned() + "\n")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_a_report_import_nothing_that_is_not_there() {
        for path in MODULES {
            for line in asset(path)
                .lines()
                .filter(|line| line.starts_with("import "))
            {
                let from = line.rsplit('/').next().unwrap_or_default();
                let name = from.trim_end_matches("\";");
                assert!(
                    MODULES.iter().any(|module| module.ends_with(name)),
                    "{path}: {line}"
                );
            }
            assert!(!plain_script(asset(path)).contains("\nexport "), "{path}");
        }
    }

    #[test]
    fn a_single_file_asks_for_nothing_and_cannot_be_broken_out_of() {
        let page = single_file("t", "showPapers", "{\"a\":\"</script><b>\"}");
        assert!(page.starts_with("<!doctype html>"));
        for outside in ["<link", "@import", "src=", "</script><b>", "import "] {
            assert!(!page.contains(outside), "{outside}");
        }
    }

    #[test]
    fn names_are_unique_among_the_modules() {
        let mut names = Vec::new();
        for path in MODULES {
            let script = plain_script(asset(path));
            for line in script.lines() {
                for start in ["function ", "class ", "const ", "let "] {
                    if let Some(rest) = line.strip_prefix(start) {
                        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                        names.push(rest[..end.unwrap_or(rest.len())].to_owned());
                    }
                }
            }
        }
        names.retain(|name| !name.is_empty());
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all, "{names:?}");
    }
}
