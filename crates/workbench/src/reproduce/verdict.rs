//! What became of a claim, computed from what was published and measured.
//!
//! A [`PaperFigure`] sets one figure of a paper beside ours, with how far the two may
//! be apart; [`PaperFigure::verdict`] is the only place where a verdict is reached. A
//! row with several claims has the [worst] of their verdicts.
//!
//! | verdict | when |
//! |---|---|
//! | reproduced exactly | the same figure on the same input |
//! | reproduced | within the tolerance |
//! | reproduced in kind | outside, but on the same side of the line that the paper draws |
//! | not reproduced | none of these |
//! | fitted | our input was chosen so that the figure comes out; it proves nothing |
//! | not comparable | the figures are of different things |
//! | open | a budget ran out, or the figure is too close to the line |

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimVerdict {
    /// The same figure, on the same input.
    Exact,
    /// Within the tolerance, which the text states.
    Close(String),
    /// Not the same figure, the same finding.
    InKind(String),
    /// It does not come out; the text has the figures.
    Not(String),
    /// Our input was chosen for it.
    Fitted,
    /// The figures are of different things.
    Incomparable(String),
    /// Nothing was published to compare with: our own measurement.
    New,
    /// A budget ran out before the answer was there, or nobody can tell.
    Open(String),
}

impl ClaimVerdict {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            ClaimVerdict::Exact => "reproduced exactly".into(),
            ClaimVerdict::Close(how) => format!("reproduced: {how}"),
            ClaimVerdict::InKind(how) => format!("reproduced in kind: {how}"),
            ClaimVerdict::Not(why) => format!("not reproduced: {why}"),
            ClaimVerdict::Fitted => "fitted: our input was chosen for it".into(),
            ClaimVerdict::Incomparable(why) => format!("not comparable: {why}"),
            ClaimVerdict::New => "ours".into(),
            ClaimVerdict::Open(why) => format!("open: {why}"),
        }
    }

    /// True if the paper's claim came out, at least in kind.
    pub fn holds(&self) -> bool {
        matches!(
            self,
            ClaimVerdict::Exact | ClaimVerdict::Close(_) | ClaimVerdict::InKind(_)
        )
    }

    /// True if it was measured and did not come out.
    pub fn fails(&self) -> bool {
        matches!(self, ClaimVerdict::Not(_))
    }

    /// The greater, the less it says for the paper.
    fn rank(&self) -> u8 {
        match self {
            ClaimVerdict::New => 0,
            ClaimVerdict::Exact => 1,
            ClaimVerdict::Fitted => 2,
            ClaimVerdict::Close(_) => 3,
            ClaimVerdict::InKind(_) => 4,
            ClaimVerdict::Incomparable(_) => 5,
            ClaimVerdict::Open(_) => 6,
            ClaimVerdict::Not(_) => 7,
        }
    }
}

/// What a paper says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Published {
    /// Nothing.
    Nothing,
    /// A figure.
    Figure(f64),
    /// A figure from which it concludes that it lies on one side of a line.
    Beside {
        /// The figure.
        figure: f64,
        /// The line.
        line: f64,
    },
    /// That a figure, which it does not give, is above a line.
    Above(f64),
    /// That a figure, which it does not give, is below a line.
    Below(f64),
}

/// One figure of a paper beside ours.
#[derive(Clone, Debug)]
pub struct PaperFigure {
    /// What is counted, for the text of the verdict.
    pub what: &'static str,
    /// Its unit, with the blank before it.
    pub unit: &'static str,
    /// What the paper says.
    pub published: Published,
    /// What came out, or why nothing did.
    pub measured: Result<f64, String>,
    /// How far the two may be apart.
    pub tolerance: f64,
    /// True if both were measured on the same input.
    pub same_input: bool,
}

impl PaperFigure {
    /// A count that must come out to the last unit.
    pub fn exact(what: &'static str, published: f64, measured: Result<f64, String>) -> PaperFigure {
        PaperFigure {
            what,
            unit: "",
            published: Published::Figure(published),
            measured,
            tolerance: 0.0,
            same_input: true,
        }
    }

    /// The verdict.
    pub fn verdict(&self) -> ClaimVerdict {
        let measured = match &self.measured {
            Ok(measured) if measured.is_finite() => *measured,
            Ok(_) => return ClaimVerdict::Open(format!("{} could not be measured", self.what)),
            Err(why) => return ClaimVerdict::Open(why.clone()),
        };
        match self.published {
            Published::Nothing => ClaimVerdict::New,
            Published::Figure(figure) => self.near(figure, measured, None),
            Published::Beside { figure, line } => self.near(figure, measured, Some(line)),
            Published::Above(line) => self.side("above", measured, line, measured - line),
            Published::Below(line) => self.side("below", measured, line, line - measured),
        }
    }

    /// Against a figure.
    fn near(&self, figure: f64, measured: f64, line: Option<f64>) -> ClaimVerdict {
        let (unit, what) = (self.unit, self.what);
        let off = (measured - figure).abs();
        let both = format!(
            "{what} {}{unit} against {}{unit}",
            short(measured),
            short(figure)
        );
        if self.same_input && off == 0.0 {
            return ClaimVerdict::Exact;
        }
        // A figure is printed with its last digit rounded.
        if off <= self.tolerance + 1e-9 {
            return ClaimVerdict::Close(format!("{both}, {} allowed", short(self.tolerance)));
        }
        match line {
            Some(line) if (figure - line) * (measured - line) > 0.0 => {
                let side = if measured < line { "below" } else { "above" };
                ClaimVerdict::InKind(format!("{both}, both {side} {}", short(line)))
            }
            _ => ClaimVerdict::Not(format!("{both}, {} allowed", short(self.tolerance))),
        }
    }

    /// Against a side of a line; `ahead` is how far on the right side.
    fn side(&self, side: &str, measured: f64, line: f64, ahead: f64) -> ClaimVerdict {
        let (unit, what) = (self.unit, self.what);
        let found = format!(
            "{what} {}{unit}, claimed {side} {}{unit}",
            short(measured),
            short(line)
        );
        if ahead > self.tolerance {
            ClaimVerdict::InKind(found)
        } else if ahead < -self.tolerance {
            ClaimVerdict::Not(found)
        } else {
            ClaimVerdict::Open(format!("{found}: too close to tell"))
        }
    }
}

/// The verdict on a row: that of the claim that fares worst; where several
/// fail, all of them are named.
pub fn worst(verdicts: &[ClaimVerdict]) -> ClaimVerdict {
    let failures: Vec<&str> = verdicts
        .iter()
        .filter_map(|verdict| match verdict {
            ClaimVerdict::Not(why) => Some(why.as_str()),
            _ => None,
        })
        .collect();
    if !failures.is_empty() {
        return ClaimVerdict::Not(failures.join("; "));
    }
    let worst = verdicts.iter().max_by_key(|verdict| verdict.rank());
    worst.cloned().unwrap_or(ClaimVerdict::New)
}

/// A figure with as many digits as it deserves.
fn short(figure: f64) -> String {
    if figure == figure.round() {
        format!("{figure:.0}")
    } else if figure.abs() >= 10.0 {
        format!("{figure:.1}")
    } else {
        format!("{figure:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(published: f64, measured: f64) -> PaperFigure {
        PaperFigure {
            what: "solved",
            unit: " %",
            published: Published::Figure(published),
            measured: Ok(measured),
            tolerance: 5.0,
            same_input: false,
        }
    }

    /// It once read "reproduced in kind", because of the model's name.
    #[test]
    fn fifteen_where_fortyfour_was_published_is_not_reproduced() {
        let verdict = percent(44.0, 15.0).verdict();
        assert!(verdict.fails());
        assert_eq!(
            verdict.words(),
            "not reproduced: solved 15 % against 44 %, 5 allowed"
        );
    }

    #[test]
    fn the_tolerance_is_the_border() {
        assert!(percent(44.0, 49.0).verdict().holds());
        assert!(percent(44.0, 39.0).verdict().holds());
        assert!(percent(44.0, 49.1).verdict().fails());
        assert!(percent(44.0, 38.9).verdict().fails());
    }

    #[test]
    fn only_the_same_input_reproduces_exactly() {
        assert_eq!(
            PaperFigure::exact("nodes", 81.0, Ok(81.0)).verdict(),
            ClaimVerdict::Exact
        );
        assert!(matches!(
            percent(44.0, 44.0).verdict(),
            ClaimVerdict::Close(_)
        ));
        assert!(
            PaperFigure::exact("nodes", 81.0, Ok(82.0))
                .verdict()
                .fails()
        );
    }

    #[test]
    fn a_finding_holds_on_its_side_of_the_line_only() {
        let claim = |measured: f64| PaperFigure {
            published: Published::Beside {
                figure: 0.85,
                line: 1.0,
            },
            tolerance: 0.05,
            unit: "",
            ..percent(0.0, measured)
        };
        assert!(matches!(claim(0.85).verdict(), ClaimVerdict::Close(_)));
        assert!(matches!(claim(0.07).verdict(), ClaimVerdict::InKind(_)));
        assert!(claim(1.0).verdict().fails());
        assert!(claim(1.3).verdict().fails());
    }

    /// "It is:" was once printed whatever the medians said.
    #[test]
    fn a_side_follows_the_measurement() {
        let claim = |measured: f64| PaperFigure {
            published: Published::Above(1.0),
            tolerance: 0.1,
            ..percent(0.0, measured)
        };
        assert!(claim(3.0).verdict().holds());
        assert!(claim(0.5).verdict().fails());
        assert!(matches!(claim(1.05).verdict(), ClaimVerdict::Open(_)));
        let below = |measured: f64| PaperFigure {
            published: Published::Below(1.0),
            ..claim(measured)
        };
        assert!(below(0.5).verdict().holds());
        assert!(below(3.0).verdict().fails());
    }

    #[test]
    fn what_was_not_measured_is_open_and_what_was_not_published_is_ours() {
        let stopped = PaperFigure {
            measured: Err("stopped".into()),
            ..percent(44.0, 0.0)
        };
        assert_eq!(stopped.verdict(), ClaimVerdict::Open("stopped".into()));
        let strange = percent(44.0, f64::NAN).verdict();
        assert!(matches!(strange, ClaimVerdict::Open(_)));
        let ours = PaperFigure {
            published: Published::Nothing,
            ..percent(0.0, 12.0)
        };
        assert_eq!(ours.verdict(), ClaimVerdict::New);
    }

    #[test]
    fn a_row_is_as_good_as_its_worst_claim() {
        let [good, bad] = [percent(44.0, 44.0), percent(48.0, 12.0)].map(|c| c.verdict());
        assert!(worst(&[good.clone(), bad]).fails());
        assert_eq!(worst(&[ClaimVerdict::Fitted, good.clone()]), good);
        assert_eq!(worst(&[]), ClaimVerdict::New);
    }
}
