//! The robots as engines: `agents:1`, `agents:4+1`, `agents:3-printed` and so on.
//!
//! A node is a request that the environment serves. Model 1 looks at
//! everything, so it is complete and counts; so is 4+1, because a sound model 4
//! only places boxes that stand there in every solution. A sound model that
//! fills the board has proved that there is no other solution. One that does
//! not, and every printed reading, proves nothing.

use planoku_engine::name::{Grammar, Group, NameError, Spelling, WordRule};
use planoku_engine::{Ended, Engine, EngineError, Leave, Profile, Run, Sink, Stop};
use planoku_sudoku::Grid;

use super::models::{Interpretation, RobotModel};
use super::run::{Finish, RobotSettings, RunError, StoppedBy, run_with};
use super::world::RobotEvent;
use crate::Plain;
use crate::family::EngineFamily;

/// The robots of one model, round robin, in whole scans.
#[derive(Clone, Copy, Debug)]
pub struct Agents {
    /// Which robots.
    pub model: RobotModel,
    /// How they read their definition.
    pub reading: Interpretation,
}

/// The robots' names: a model after `agents`, `-printed` if it is taken to the
/// letter.
pub(crate) const ROBOTS: EngineFamily = EngineFamily {
    grammar: &Grammar {
        groups: &[Group::first("engines", &["agents"]), MODELS],
        rules: &[WordRule::Needs {
            words: &["agents"],
            others: MODELS.words,
            why: "say which robots, as in `agents:4`",
        }],
    },
    listed: &[
        "agents:1",
        "agents:2",
        "agents:3",
        "agents:4",
        "agents:4+1",
        "agents:5",
        "agents:6",
        "agents:3-printed",
        "agents:4-printed",
    ],
    make: |spelling| Box::new(Plain(Agents::spelt(spelling))),
};

const MODELS: Group = Group::after(
    ':',
    "models",
    &[
        "",
        "1",
        "2",
        "3",
        "4",
        "4+1",
        "5",
        "6",
        "3-printed",
        "4-printed",
    ],
);

impl Agents {
    /// The robots of that name: `agents:1`, `agents:3-printed`, …
    pub fn named(name: &str) -> Result<Agents, NameError> {
        Ok(Agents::spelt(&ROBOTS.grammar.read(name)?))
    }

    fn spelt(spelling: &Spelling) -> Agents {
        let word = spelling.word(MODELS.what);
        let (model, reading) = match word.strip_suffix("-printed") {
            Some(model) => (model, Interpretation::Printed),
            None => (word, Interpretation::Sound),
        };
        Agents {
            model: model.parse().expect("a word of the grammar"),
            reading,
        }
    }

    /// What the robots are told.
    pub fn settings(&self) -> RobotSettings {
        RobotSettings {
            reading: self.reading,
            ..RobotSettings::new(self.model)
        }
    }
}

impl Engine<Grid> for Agents {
    type Answer = Grid;

    fn profile(&self) -> Profile {
        let summary = self.model.summary();
        match (self.reading, self.model) {
            (Interpretation::Printed, model) => Profile::new(
                format!("agents:{model}-printed"),
                format!("model {model} to the letter: robots may place wrong boxes"),
            ),
            (Interpretation::Sound, model @ (RobotModel::M1 | RobotModel::M4Then1)) => {
                Profile::new(format!("agents:{model}"), summary)
                    .complete()
                    .counting()
            }
            (Interpretation::Sound, model) => Profile::new(format!("agents:{model}"), summary),
        }
    }

    fn solve_into(
        &self,
        puzzle: &Grid,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Grid>,
    ) -> Result<Ended, EngineError> {
        self.solve_heard(puzzle, run, sink, None)
    }
}

impl Agents {
    /// Solves while somebody listens.
    pub fn solve_heard(
        &self,
        puzzle: &Grid,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Grid>,
        mut listener: Option<&mut dyn FnMut(RobotEvent)>,
    ) -> Result<Ended, EngineError> {
        let settings = self.settings();
        run.search(sink, |run, found| {
            let mut enough = Ok(());
            let report = run_with(puzzle, &settings, run, listener.take(), &mut |grid| {
                enough = found.push(grid.clone());
                enough.is_ok()
            });
            let report = match report {
                Ok(report) => report,
                // Equal clues in a house: nothing to try, which is a proof.
                Err(RunError::Contradiction(_)) => return Ok(()),
                Err(error) => return Err(Leave::Error(error.into())),
            };
            let counts = report.counts;
            for (name, count) in [
                ("placements", counts.placements),
                ("removals", counts.removals),
                ("messages", counts.messages),
                ("refusals", counts.refusals),
                ("rounds", counts.rounds),
            ] {
                run.stats.add(name, count);
            }
            enough?;
            match report.finish {
                Finish::Exhausted => Ok(()),
                Finish::Solved if settings.is_sound() => Ok(()),
                Finish::Stopped(StoppedBy::Budget(stop)) => Err(stop.into()),
                Finish::Stopped(StoppedBy::Removals) => Err(Stop::Nodes.into()),
                Finish::Solved | Finish::FixedPoint | Finish::DeadEnd | Finish::Abandoned => {
                    Err(Leave::GaveUp)
                }
            }
        })
    }
}
