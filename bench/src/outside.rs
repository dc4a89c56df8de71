//! A solver from outside the project: a shared library, named by its path and
//! loaded while we run, so that nothing of it is part of what we build.
//!
//! The library has one function with the C interface that tdoku made customary
//! among solvers of Sudoku (`TdokuSolverDpllTriadSimd`); another solver joins by
//! exporting a function of the same form under that name:
//!
//! ```text
//! size_t f(const char *puzzle,      81 characters, '.' for blanks, and a 0
//!          size_t limit,            count no further than this
//!          uint32_t configuration,  0
//!          char *solution,          room for 81 characters
//!          size_t *guesses)         how often it guessed
//! ```

use std::ffi::{CStr, c_char};
use std::path::Path;

type Solve = unsafe extern "C" fn(*const c_char, usize, u32, *mut c_char, *mut usize) -> usize;

const SYMBOL: &[u8] = b"TdokuSolverDpllTriadSimd\0";

/// A library that has been loaded.
pub struct Library {
    solve: Solve,
    /// Keeps the code in memory.
    _library: libloading::Library,
}

impl Library {
    /// Loads a library. Whoever names it trusts it: its code runs in our
    /// process.
    pub fn open(path: &Path) -> Result<Library, String> {
        let fail = |error: libloading::Error| format!("{}: {error}", path.display());
        // SAFETY: what a library does when it is loaded, and whether the
        // function is of the form above, the user answers for.
        unsafe {
            let library = libloading::Library::new(path).map_err(fail)?;
            let solve = *library.get::<Solve>(SYMBOL).map_err(fail)?;
            Ok(Library {
                solve,
                _library: library,
            })
        }
    }

    /// How many solutions a puzzle has, counted up to `limit`.
    pub fn count(&self, puzzle: &CStr, limit: usize) -> usize {
        let (mut solution, mut guesses) = ([0; 128], 0);
        // SAFETY: the text ends with a 0, the solution has room for 81
        // characters and more, and both live as long as the call.
        unsafe {
            (self.solve)(
                puzzle.as_ptr(),
                limit,
                0,
                solution.as_mut_ptr(),
                &mut guesses,
            )
        }
    }
}
