//! What happens inside a search, one JSON object a line.
//!
//! Cells are named by row and column (`r1c1` to `r9c9`), so that a trace can be
//! read without knowing how an engine numbers anything:
//!
//! ```text
//! {"event":"search","puzzle":"8...","engine":"bt"}
//! {"event":"assign","cell":"r1c2","digit":1}
//! {"event":"conflict","cell":"r1c5"}
//! {"event":"unassign","cell":"r1c2"}
//! {"event":"end","end":"exhausted","found":1,"nodes":1234}
//! ```
//!
//! A search begins with `search` and ends with `end`; what stands between
//! belongs to it. What each event means stands in the guide.

use planoku_engine::{End, Event};
use planoku_sudoku::{Cell, Grid, Shape};

/// The line that begins a search.
pub fn begin(puzzle: &Grid, engine: &str) -> String {
    format!("{{\"event\":\"search\",\"puzzle\":\"{puzzle}\",\"engine\":\"{engine}\"}}")
}

/// The line that ends it; `None` if an error did.
pub fn end(end: Option<End>, found: u64, nodes: Option<u64>) -> String {
    let end = end.map_or("null".to_string(), |end| format!("\"{}\"", end.name()));
    let nodes = nodes.map_or("null".to_string(), |nodes| nodes.to_string());
    format!("{{\"event\":\"end\",\"end\":{end},\"found\":{found},\"nodes\":{nodes}}}")
}

/// The line of an event on a board of this size.
///
/// ```
/// use planoku_engine::Event;
/// use planoku_sudoku::Shape;
/// use planoku_workbench::trace;
///
/// let event = Event::Assign { variable: 10, value: 4 };
/// let line = trace::event(&event, Shape::Three);
/// assert_eq!(line, r#"{"event":"assign","cell":"r2c2","digit":4}"#);
/// ```
pub fn event(event: &Event, shape: Shape) -> String {
    let cell = |variable: u32| cell_name(shape, variable);
    let about = |name: &str, variable: u32, value: u32| {
        let cell = cell(variable);
        format!("{{\"event\":\"{name}\",\"cell\":\"{cell}\",\"digit\":{value}}}")
    };
    match *event {
        Event::Assign { variable, value } => about("assign", variable, value),
        Event::Prune { variable, value } => about("prune", variable, value),
        Event::Restore { variable, value } => about("restore", variable, value),
        Event::Unassign { variable } => {
            format!("{{\"event\":\"unassign\",\"cell\":\"{}\"}}", cell(variable))
        }
        Event::Conflict { variable } => {
            format!("{{\"event\":\"conflict\",\"cell\":\"{}\"}}", cell(variable))
        }
        Event::Jump { from, to } => {
            format!("{{\"event\":\"jump\",\"from\":{from},\"to\":{to}}}")
        }
        Event::Restart => "{\"event\":\"restart\"}".to_string(),
        Event::Answer(nth) => format!("{{\"event\":\"answer\",\"nth\":{nth}}}"),
        Event::Progress { stage, nodes, best } => {
            let best = best.map_or("null".to_string(), |best| best.to_string());
            format!(
                "{{\"event\":\"progress\",\"stage\":\"{stage}\",\"nodes\":{nodes},\"best\":{best}}}"
            )
        }
    }
}

/// `r1c1` for the first cell; a variable that is no cell keeps its number.
fn cell_name(shape: Shape, variable: u32) -> String {
    let index = variable as usize;
    if index >= shape.cells() {
        return format!("x{variable}");
    }
    let cell = Cell::new(index);
    format!("r{}c{}", shape.row(cell) + 1, shape.column(cell) + 1)
}
