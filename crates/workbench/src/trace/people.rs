//! The path of a person: one event a step, in words, resting on its causes.

use planoku_engine::{Ended, Engine, EngineError, Leave, Profile, Run, Sink};
use planoku_human::{Path, Rater, Step, Unrated};
use planoku_sudoku::Grid;
use std::sync::Mutex;

use super::{BoardChange, LIMIT, Mark, Recorder, Trace, TraceEvent, TraceHeader, TraceKind, lock};
use crate::Solution;

/// The name under which the techniques of people are watched; no engine of the
/// registry, for it neither counts nor takes every board.
pub const PEOPLE: &str = "people";

/// A path as a trace.
pub fn people(puzzle: &Grid, path: &Path) -> Trace {
    let header = TraceHeader {
        solution: Some(path.solution.clone()),
        ..TraceHeader::new(PEOPLE, TraceKind::People, puzzle)
    };
    let mut recorder = Recorder::new(header, LIMIT);
    for step in &path.steps {
        record(step, &mut recorder);
    }
    recorder.finish("solved", 1, Some(path.steps.len() as u64))
}

/// Solves as people do, and writes down how.
pub(super) struct People {
    pub recorder: Mutex<Recorder>,
}

impl Engine<Grid> for People {
    type Answer = Solution;

    fn profile(&self) -> Profile {
        Profile::new("people", "techniques that people use, easiest first")
    }

    fn solve_into(
        &self,
        puzzle: &Grid,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Solution>,
    ) -> Result<Ended, EngineError> {
        run.search(sink, |run, found| {
            let path = match Rater::new().path(puzzle, run) {
                Ok(path) => path,
                Err(Unrated::Stopped(stop)) => return Err(stop.into()),
                Err(Unrated::TooHard { .. }) => return Err(Leave::GaveUp),
                Err(other) => {
                    let why = EngineError::Unsupported(other.to_string());
                    return Err(Leave::Error(why));
                }
            };
            let mut recorder = lock(&self.recorder);
            for step in &path.steps {
                record(step, &mut recorder);
            }
            drop(recorder);
            found.push(Solution {
                grid: path.solution,
                witness: None,
            })
        })
    }
}

/// Records a step: what it strikes, then what it places.
pub(super) fn record(step: &Step, recorder: &mut Recorder) {
    let causes = step.causes.iter();
    let causes = causes.map(|cause| Mark::Candidate(cause.candidate.cell, cause.candidate.digit));
    let mut lit: Vec<Mark> = step.houses.iter().copied().map(Mark::House).collect();
    lit.extend(causes);
    for chain in &step.chains {
        let links = chain.nodes.iter();
        lit.extend(links.map(|node| Mark::Candidate(node.candidate.cell, node.candidate.digit)));
    }
    let mut seen = std::collections::HashSet::new();
    lit.retain(|mark| seen.insert(*mark));
    let sentence = format!("{} {}", step.rating, step.sentence());
    if !step.eliminations.is_empty() {
        let struck = step.eliminations.iter();
        let struck = struck.map(|candidate| (candidate.cell, candidate.digit));
        let event = TraceEvent {
            board: Some(BoardChange::Strike(struck.collect())),
            ..TraceEvent::note(sentence.clone())
        };
        recorder.push(event.lit(lit.iter().copied()));
    }
    if let Some(candidate) = step.placement {
        let event = TraceEvent {
            board: Some(BoardChange::Place(candidate.cell, candidate.digit)),
            ..TraceEvent::note(sentence)
        };
        recorder.push(event.lit(lit));
    }
}
