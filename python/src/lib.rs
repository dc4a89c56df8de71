//! The private module `planoku._core`: what Rust does for the Python package.
//!
//! Functions here take and give plain things: strings, NumPy arrays, Arrow data,
//! JSON texts. How they are called, and what their results are called, is
//! decided in `python/planoku`.

mod batch;
mod error;
mod interrupt;
mod planning;
mod plans;
mod pool;
mod sudoku;

use pyo3::prelude::*;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add(
        "PlanokuError",
        module.py().get_type::<error::PlanokuError>(),
    )?;
    module.add("ParseError", module.py().get_type::<error::ParseError>())?;
    sudoku::register(module)?;
    batch::register(module)?;
    planning::register(module)?;
    plans::register(module)
}
