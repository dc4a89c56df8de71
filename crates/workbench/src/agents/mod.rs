//! The block world: robots carry numbered boxes to a board, and talk.
//!
//! Sudoku told as a block world, after Abednego and Nugraheni, "A Block World
//! Problem Based Sudoku Solver": a table holds a board and a pile of equal
//! boxes for each number; robots put boxes on the board. The authors planned a
//! simulator for learning about agents, their communication and their
//! scheduling. This is one.
//!
//! - [`table`]: the board and its piles.
//! - [`messages`]: what robots and environment say to each other.
//! - [`models`]: the seven models, and what each calls a valid position.
//! - [`robot`], [`environment`]: the agents, and the only one who may touch the table.
//! - [`world`]: both with their mailboxes, and the one transition function.
//! - [`schedule`], [`threads`]: who goes next.
//! - [`run`](mod@run): from puzzle to report. [`engine`]: the same as engines.
//! - [`experiment`]: the paper's Table III. [`judge`]: how many boxes are wrong.
//! - What happened is written down by [`crate::trace`].
//!
//! ```
//! use planoku_engine::Run;
//! use planoku_workbench::agents::{Finish, RobotModel, RobotSettings, run};
//!
//! let puzzle = "1.....3..4......".parse().unwrap();
//! let report = run(&puzzle, &RobotSettings::new(RobotModel::M1), &mut Run::limit(1)).unwrap();
//! assert_eq!(report.finish, Finish::Solved);
//! assert_eq!(report.counts.placements - report.counts.removals, 13);
//! ```

pub mod engine;
pub mod environment;
pub mod event;
pub mod experiment;
pub mod judge;
pub mod messages;
pub mod models;
mod policy;
pub mod robot;
pub mod run;
pub mod schedule;
pub mod table;
pub mod threads;
pub mod world;

pub use engine::Agents;
pub use environment::Environment;
pub use event::{Loss, RobotEvent, WorkEnded};
pub use messages::{Message, Refusal, Request, RobotId};
pub use models::{Interpretation, RobotModel};
pub use policy::Policy;
pub use run::{Counts, Finish, RobotSettings, RunError, RunReport, StoppedBy, run, run_with};
pub use schedule::Scheduler;
pub use threads::{Fault, FaultKind};
pub use world::{Choice, Stage};
