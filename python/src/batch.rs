//! Many puzzles at once: NumPy arrays and Arrow data, read where they lie.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use planoku_data::arrow::{append, text_column, texts};
use planoku_data::columns::Work;
use planoku_data::leaks::{By, Ids};
use planoku_data::table::ColumnValues;
use planoku_engine::{Cancel, Run};
use planoku_human::{Rater, Rating};
use planoku_sudoku::canon::Canonizer;
use planoku_sudoku::native::{self, Cells, Isa};
use planoku_sudoku::{Grid, verify_cells};
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3_arrow::PyTable;
use pyo3_arrow::input::{AnyArray, AnyRecordBatch};
use rayon::prelude::*;

use crate::error::bad;
use crate::pool::on_all_cores;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(solve_cells, module)?)?;
    module.add_function(wrap_pyfunction!(rate_cells, module)?)?;
    module.add_function(wrap_pyfunction!(canon_cells, module)?)?;
    module.add_function(wrap_pyfunction!(map_batches, module)?)?;
    module.add_function(wrap_pyfunction!(map_array, module)?)?;
    module.add_function(wrap_pyfunction!(map_list, module)?)?;
    module.add_function(wrap_pyfunction!(leaks, module)?)
}

/// Boards worked on between two looks at the switch.
const PIECE: usize = 4096;

/// The boards of an array, where they lie.
fn boards<'a>(cells: &'a PyReadonlyArray2<'_, u8>) -> PyResult<&'a [Cells]> {
    let wrong = || {
        let shape = cells.shape();
        bad(format!(
            "expected an array of n rows and 81 columns in C order, found shape {shape:?}"
        ))
    };
    if cells.shape()[1] != 81 {
        return Err(wrong());
    }
    let boards = cells.as_slice().map_err(|_| wrong())?.as_chunks::<81>().0;
    let too_large = boards
        .iter()
        .position(|board| board.iter().any(|digit| *digit > 9));
    match too_large {
        Some(row) => Err(bad(format!(
            "row {row}: expected 0 (blank) to 9 in every cell"
        ))),
        None => Ok(boards),
    }
}

type Solved<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray1<u8>>);

/// The solutions (zeroes where there is none), and how many there are: 0, 1, or
/// 2 for more.
#[pyfunction]
fn solve_cells<'py>(py: Python<'py>, cells: PyReadonlyArray2<'py, u8>) -> PyResult<Solved<'py>> {
    let boards = boards(&cells)?;
    let mut solutions = vec![0u8; boards.len() * 81];
    let mut counts = vec![0u8; boards.len()];
    on_all_cores(py, |cancel| {
        let pieces = solutions
            .par_chunks_mut(PIECE * 81)
            .zip(counts.par_chunks_mut(PIECE));
        pieces
            .zip(boards.par_chunks(PIECE))
            .for_each(|((solutions, counts), boards)| {
                if cancel.is_cancelled() {
                    return;
                }
                let answers = native::solve_batch(boards, 2, Isa::best());
                let (solutions, _) = solutions.as_chunks_mut::<81>();
                for (nth, answer) in answers.into_iter().enumerate() {
                    counts[nth] = answer.count as u8;
                    if let Some(first) = answer.first.filter(|_| answer.count > 0) {
                        assert!(verify_cells(&boards[nth], &first), "a wrong solution");
                        solutions[nth] = first;
                    }
                }
            });
    })?;
    let solutions = PyArray1::from_vec(py, solutions).reshape([boards.len(), 81])?;
    Ok((solutions, PyArray1::from_vec(py, counts)))
}

/// ER, EP and ED of each board; NaN where there is none.
#[pyfunction]
fn rate_cells<'py>(
    py: Python<'py>,
    cells: PyReadonlyArray2<'py, u8>,
) -> PyResult<[Bound<'py, PyArray1<f64>>; 3]> {
    let boards = boards(&cells)?;
    let rated = on_all_cores(py, |cancel| {
        let pieces = boards.par_chunks(64).flat_map_iter(|boards| {
            let mut rater = Rater::new();
            boards
                .iter()
                .map(move |board| rate(&mut rater, board, cancel))
                .collect::<Vec<_>>()
        });
        pieces.collect::<Vec<[f64; 3]>>()
    })?;
    let column = |nth: usize| PyArray1::from_iter(py, rated.iter().map(|row| row[nth]));
    Ok([column(0), column(1), column(2)])
}

fn rate(rater: &mut Rater, board: &Cells, cancel: &Cancel) -> [f64; 3] {
    let grid = native::from_cells(board).expect("digits up to nine");
    let rated = rater.rate(&grid, &mut Run::limit(1).with_cancel(cancel.clone()));
    rated.map_or([f64::NAN; 3], |rated| {
        [rated.er, rated.ep, rated.ed].map(|one| one.value())
    })
}

type Forms<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray1<u64>>);

/// The canonical form of each board, and its automorphisms; zeroes for a board
/// that repeats a digit.
#[pyfunction]
fn canon_cells<'py>(py: Python<'py>, cells: PyReadonlyArray2<'py, u8>) -> PyResult<Forms<'py>> {
    let boards = boards(&cells)?;
    let mut forms = vec![0u8; boards.len() * 81];
    let mut automorphisms = vec![0u64; boards.len()];
    on_all_cores(py, |cancel| {
        let pieces = forms
            .par_chunks_mut(512 * 81)
            .zip(automorphisms.par_chunks_mut(512));
        pieces
            .zip(boards.par_chunks(512))
            .for_each(|((forms, automorphisms), boards)| {
                let mut canonizer = Canonizer::new();
                for (nth, board) in boards.iter().enumerate() {
                    if cancel.is_cancelled() {
                        return;
                    }
                    let grid = native::from_cells(board).expect("digits up to nine");
                    if let Some(found) = canonizer.canonical(&grid) {
                        let form = native::to_cells(&found.form).expect("the same size");
                        forms[81 * nth..81 * nth + 81].copy_from_slice(&form);
                        automorphisms[nth] = found.automorphisms;
                    }
                }
            });
    })?;
    let forms = PyArray1::from_vec(py, forms).reshape([boards.len(), 81])?;
    Ok((forms, PyArray1::from_vec(py, automorphisms)))
}

/// The rows of Arrow data with the columns of some work behind their own.
#[pyfunction]
fn map_batches(
    py: Python<'_>,
    data: AnyRecordBatch,
    work: &str,
    column: Option<&str>,
) -> PyResult<PyTable> {
    let work: Work = work.parse().map_err(bad)?;
    let reader = data.into_reader()?;
    let schema = reader.schema();
    let batches = reader
        .collect::<Result<Vec<_>, ArrowError>>()
        .map_err(bad)?;
    map(py, schema, &batches, &work, column)
}

/// A table with the puzzles of an Arrow array and the columns of some work.
#[pyfunction]
fn map_array(py: Python<'_>, data: AnyArray, work: &str) -> PyResult<PyTable> {
    let work: Work = work.parse().map_err(bad)?;
    let reader = data.into_reader()?;
    let field = Field::new("puzzle", reader.field().data_type().clone(), true);
    let schema = Arc::new(Schema::new(vec![field]));
    let batch = |array: Result<ArrayRef, ArrowError>| {
        RecordBatch::try_new(Arc::clone(&schema), vec![array?])
    };
    let batches = reader
        .map(batch)
        .collect::<Result<Vec<_>, _>>()
        .map_err(bad)?;
    map(py, Arc::clone(&schema), &batches, &work, None)
}

/// Rows of a batch that are worked on together. What comes out has 32-bit
/// offsets into its texts, which this many rows cannot exceed.
const ROWS: usize = 1 << 20;

fn map(
    py: Python<'_>,
    schema: SchemaRef,
    batches: &[RecordBatch],
    work: &Work,
    column: Option<&str>,
) -> PyResult<PyTable> {
    // Without rows there are columns all the same.
    let none = [RecordBatch::new_empty(schema)];
    let batches = if batches.is_empty() {
        &none[..]
    } else {
        batches
    };
    let slices = batches.iter().flat_map(|batch| {
        let starts = (0..batch.num_rows().max(1)).step_by(ROWS);
        starts.map(|start| batch.slice(start, ROWS.min(batch.num_rows() - start)))
    });
    let slices: Vec<RecordBatch> = slices.collect();
    let done = on_all_cores(py, |cancel| {
        let done = slices
            .iter()
            .map(|batch| append(batch, column, work, cancel));
        done.collect::<Result<Option<Vec<RecordBatch>>, String>>()
    })?;
    let done = done.map_err(bad)?.ok_or_else(|| bad("stopped"))?;
    let schema = done[0].schema();
    PyTable::try_new(done, schema)
}

/// The columns of some work for a list of puzzles.
#[pyfunction]
fn map_list<'py>(
    py: Python<'py>,
    puzzles: Vec<Option<String>>,
    work: &str,
) -> PyResult<Vec<(String, Bound<'py, PyList>)>> {
    let work: Work = work.parse().map_err(bad)?;
    let table = on_all_cores(py, |cancel| work.on(&puzzles, cancel))?;
    let table = table.map_err(|stop| bad(stop.name()))?;
    let columns = table.columns.into_iter().map(|column| {
        let values = match column.values {
            ColumnValues::Number(values) => PyList::new(py, values),
            ColumnValues::Flag(values) => PyList::new(py, values),
            ColumnValues::Rating(values) => {
                let points = |rating: Option<Rating>| rating.map(Rating::value);
                PyList::new(py, values.into_iter().map(points))
            }
            ColumnValues::Text(values) => PyList::new(py, values),
        };
        Ok((column.name, values?))
    });
    columns.collect()
}

/// A column of puzzles, in Python's own list or as Arrow keeps it.
#[derive(FromPyObject)]
enum Puzzles {
    List(Vec<Option<String>>),
    Arrow(AnyArray),
}

impl Puzzles {
    fn arrays(self) -> PyResult<Vec<ArrayRef>> {
        let arrays = match self {
            Puzzles::List(list) => {
                let pieces = list.chunks(ROWS);
                let array = |piece: &[Option<String>]| -> ArrayRef {
                    Arc::new(piece.iter().map(Option::as_ref).collect::<StringArray>())
                };
                return Ok(pieces.map(array).collect());
            }
            Puzzles::Arrow(data) => data.into_reader()?,
        };
        arrays.collect::<Result<Vec<_>, ArrowError>>().map_err(bad)
    }
}

/// Rows of the second array that are in the first, in whatever disguise: row of
/// the second, row of the first, whether they are the same as they stand.
#[pyfunction]
fn leaks(
    py: Python<'_>,
    first: Puzzles,
    second: Puzzles,
    solutions: bool,
    memory: usize,
) -> PyResult<Vec<(u64, u64, bool)>> {
    let by = match solutions {
        true => By::Solution,
        false => By::Puzzle,
    };
    let (first, second) = (first.arrays()?, second.arrays()?);
    let found = on_all_cores(py, |cancel| {
        let first = ids(&first, by, memory / 2, cancel)?;
        let second = ids(&second, by, memory / 2, cancel)?;
        let mut found = Vec::new();
        let told = first.leaks(&second, |leak| {
            found.push((leak.second, leak.first, leak.exact))
        });
        told.map_err(|error| error.to_string())?;
        found.sort_unstable();
        Ok(found)
    })?;
    found.map_err(|message: String| bad(message))
}

fn ids(arrays: &[ArrayRef], by: By, memory: usize, cancel: &Cancel) -> Result<Ids, String> {
    let mut ids = Ids::new(by, memory);
    let mut row = 0;
    for array in arrays {
        let column = text_column("puzzle", array)?;
        let texts = texts(&column);
        for piece in texts.chunks(1 << 15) {
            if cancel.is_cancelled() {
                return Err("stopped".to_string());
            }
            let rows = piece.iter().enumerate().filter_map(|(nth, text)| {
                Some((row + nth as u64, (*text)?.trim().parse::<Grid>().ok()?))
            });
            ids.add(&rows.collect::<Vec<_>>())
                .map_err(|error| error.to_string())?;
            row += piece.len() as u64;
        }
    }
    Ok(ids)
}
