//! Random planning problems, a naive oracle, and judgement of every planner by
//! both.
//!
//! ```text
//! dice ─ generate │ shapes ─► Problem ─ print ─► texts ─ attempt (every planner) ─► Reports
//!                                │                                                   │
//!                                └──────── oracle ─► Truth ──────── judge ◄──────────┘
//!                                                                     └─ Findings ─ shrink
//! ```
//!
//! The model is mobical, which tortures the SAT solver CaDiCaL (Armin Biere)
//! with random calls and shrinks what breaks it.

pub mod attempt;
pub mod case;
pub mod dice;
pub mod generate;
pub mod judge;
pub mod numeric;
pub mod oracle;
pub mod print;
pub mod problem;
pub mod shapes;
pub mod shrink;
