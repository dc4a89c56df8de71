//! What our own SAT solver says, as candidates placed and struck.
//!
//! A decision opens a node; what follows from it is gathered; a conflict is
//! noted; the clause learnt from it is told together with what it strikes or
//! places, at the level to which the search has returned.

use planoku_constraints::cnf::Var;
use planoku_engine::Event as Said;
use planoku_sudoku::{Cell, Digit};

use super::{BoardChange, Mark, Pane, Recorder, TraceEvent, cell_name};
use crate::formulate::sat::Encoded;

pub(super) struct Sat {
    recorder: Recorder,
    encoded: Encoded,
    struck: Vec<(Cell, Digit)>,
    /// The decisions that stand: variable, node and label.
    path: Vec<(u32, u64, String)>,
    /// A clause just learnt, to be told with its first consequence.
    learnt: Option<Vec<String>>,
    why: Option<String>,
}

impl Sat {
    /// `encoded` is the formula the solver is given.
    pub(super) fn new(recorder: Recorder, encoded: Encoded) -> Sat {
        Sat {
            recorder,
            encoded,
            struck: Vec::new(),
            path: Vec::new(),
            learnt: None,
            why: None,
        }
    }

    pub(super) fn finish(mut self) -> Recorder {
        self.tell_struck();
        self.recorder
    }

    pub(super) fn event(&mut self, said: &Said) {
        match said {
            Said::Assign { variable, value } => {
                self.tell_struck();
                let (label, board) = self.said(*variable, *value == 1);
                let event = TraceEvent {
                    board,
                    ..TraceEvent::default()
                };
                let node = self.recorder.open(label.clone(), event);
                self.path.push((*variable, node, label));
            }
            Said::Derive { variable, value } => self.derive(*variable, *value == 1),
            Said::Unassign { .. } => {
                self.tell_struck();
                self.path.pop();
                self.recorder.take_back(self.why.take(), vec![]);
            }
            Said::Conflict { variable } => {
                self.tell_struck();
                let mut note = TraceEvent::note("conflict: a clause cannot be satisfied");
                if let Some((cell, digit)) = self.meaning(*variable) {
                    let name = cell_name(self.encoded.decided().shape(), cell);
                    note = TraceEvent::note(format!("conflict at {digit} in {name}"))
                        .lit([Mark::Candidate(cell, digit)]);
                }
                self.why = Some("conflict".to_owned());
                self.recorder.push(note);
            }
            Said::Learn { literals } => {
                let words = literals.iter();
                let words = words.map(|&(variable, _, has)| self.said(variable, has).0);
                self.learnt = Some(words.collect());
            }
            Said::Jump { to, because, .. } => self.jump(*to, because),
            Said::Restart => {
                self.tell_struck();
                self.recorder
                    .push(TraceEvent::note("begins anew with what was learnt"));
            }
            Said::Answer(nth) => {
                self.tell_struck();
                self.recorder
                    .push(TraceEvent::note(format!("solution {nth}")));
            }
            Said::Progress { stage, nodes, best } => {
                self.recorder
                    .push(super::search::progress(stage, *nodes, *best));
            }
            Said::Prune { .. } | Said::Restore { .. } => {}
        }
    }

    fn derive(&mut self, variable: u32, holds: bool) {
        let Some((cell, digit)) = self.meaning(variable) else {
            return;
        };
        if let Some(literals) = self.learnt.take() {
            self.tell_struck();
            let (_, board) = self.said(variable, holds);
            self.recorder.push(TraceEvent {
                board,
                pane: Some(Pane::Learn { literals }),
                lit: vec![Mark::Candidate(cell, digit)],
            });
        } else if holds {
            self.tell_struck();
            self.recorder
                .push(TraceEvent::board(BoardChange::Place(cell, digit)));
        } else {
            self.struck.push((cell, digit));
        }
    }

    fn jump(&mut self, to: u32, because: &[u32]) {
        self.tell_struck();
        let level = (to as usize).checked_sub(1);
        let to = level.and_then(|at| self.path.get(at));
        let to = to.map_or(0, |(_, node, _)| *node);
        let label = |variable: &u32| {
            let chosen = self.path.iter().find(|(known, ..)| known == variable);
            chosen.map(|(_, _, label)| label.clone())
        };
        let words = because.iter().filter_map(label).collect();
        let lit: Vec<Mark> = because
            .iter()
            .filter_map(|variable| self.meaning(*variable))
            .map(|(cell, _)| Mark::Cell(cell))
            .collect();
        let jump = Pane::Jump { to, because: words };
        self.recorder.push(TraceEvent::pane(jump).lit(lit));
    }

    fn tell_struck(&mut self) {
        if !self.struck.is_empty() {
            let struck = std::mem::take(&mut self.struck);
            self.recorder
                .push(TraceEvent::board(BoardChange::Strike(struck)));
        }
    }

    /// A literal in words and on the board.
    fn said(&self, variable: u32, holds: bool) -> (String, Option<BoardChange>) {
        let Some((cell, digit)) = self.meaning(variable) else {
            let sign = if holds { "" } else { "not " };
            return (format!("{sign}x{}", variable + 1), None);
        };
        let name = cell_name(self.encoded.decided().shape(), cell);
        match holds {
            true => (
                format!("{name} = {}", digit.get()),
                Some(BoardChange::Place(cell, digit)),
            ),
            false => (
                format!("{name} ≠ {}", digit.get()),
                Some(BoardChange::Strike(vec![(cell, digit)])),
            ),
        }
    }

    fn meaning(&self, variable: u32) -> Option<(Cell, Digit)> {
        self.encoded.meaning(Var::new(variable as usize))
    }
}
