//! "The CSP Sudoku": two tables of node counts and times.

use std::time::Duration;

use super::{Chapter, ClaimRow, ClaimVerdict, Effort, FigureTable, Paper, PaperFigure, row};
use crate::chart::{short_count, short_time};
use crate::papers::csp::{PublishedNodes, published};
use crate::registry::engine;

pub(super) fn chapter(effort: &Effort<'_>) -> Chapter {
    let mut tables = Vec::new();
    let (mut exact, mut all, mut theirs, mut ours) = (0, 0, 0.0, 0.0);
    for (number, title) in [
        (
            1,
            "Table 1: twenty puzzles, three searches, without and with arc consistency",
        ),
        (2, "Table 2: four harder puzzles, after arc consistency"),
    ] {
        let mut rows = Vec::new();
        for figure in published()
            .into_iter()
            .filter(|figure| figure.table == number)
        {
            if effort.cancel.is_cancelled() {
                break;
            }
            let (row, seconds) = check(&figure, effort);
            all += 1;
            exact += usize::from(row.verdict == ClaimVerdict::Exact);
            if figure.engine == "bt" {
                theirs += figure.seconds;
                ours += seconds;
            }
            rows.push(row);
        }
        tables.push(FigureTable {
            title: title.into(),
            head: vec![
                "puzzle",
                "search",
                "nodes, theirs",
                "nodes, ours",
                "time, theirs",
                "time, ours",
                "ratio",
            ],
            rows,
            notes: vec![],
        });
    }
    tables[1].notes.push(
        "The puzzle numbered 2 lost its given 8 (row 8, column 8) in print; with it the published counts come out.".into(),
    );
    let summary = vec![
        format!("{exact} of {all} node counts come out to the node."),
        format!(
            "Chronological backtracking on Table 1 took the authors {}, it takes us {}: {:.0} times faster, for the same {} nodes.",
            short_time(theirs), short_time(ours), theirs / ours.max(1e-9), total_nodes(),
        ),
        "The pseudo-code of Algorithm 5 tests `h = i` where `i = n - 1` is meant, and writes `C[r]` for `CS[r]`; the counts only come out with both mended.".into(),
    ];
    Chapter {
        paper: Paper::Csp,
        citation: "Jón Steinn Elíasson and Martin Titze, The CSP Sudoku, Reykjavík University, 2020",
        summary,
        tables,
    }
}

fn total_nodes() -> String {
    let bt = published()
        .into_iter()
        .filter(|figure| figure.engine == "bt");
    short_count(bt.map(|figure| figure.nodes).sum::<u64>() as f64)
}

fn check(figure: &PublishedNodes, effort: &Effort<'_>) -> (ClaimRow, f64) {
    let grid = figure
        .puzzle
        .parse()
        .expect("the paper's puzzles are well formed");
    let engine = engine(figure.engine).expect("the paper's engines are registered");
    let mut run = effort
        .run(1)
        .with_time(Duration::from_secs(effort.pick(5, 60)));
    let (nodes, seconds, solved) = match crate::solve::solve(&*engine, &grid, &mut run) {
        Ok(outcome) => (
            outcome.stats.nodes,
            outcome.stats.time.as_secs_f64(),
            !outcome.answers.is_empty(),
        ),
        Err(_) => (0, 0.0, false),
    };
    let measured = match solved {
        true => Ok(nodes as f64),
        false => Err("stopped before the solution".to_string()),
    };
    let verdict = PaperFigure::exact("nodes", figure.nodes as f64, measured).verdict();
    let cells = [
        figure.number.to_string(),
        figure.engine.to_string(),
        figure.nodes.to_string(),
        nodes.to_string(),
        short_time(figure.seconds),
        short_time(seconds),
        format!("{:.0}x", figure.seconds / seconds.max(1e-9)),
    ];
    (row(cells, verdict), seconds)
}
