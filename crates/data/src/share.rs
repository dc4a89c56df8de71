//! One of several equal parts of the work, for those who share it out.

use planoku_engine::UnknownName;

/// One of several equal parts of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// From 1.
    pub nth: u64,
    /// How many parts there are.
    pub of: u64,
}

impl Share {
    /// True if something of that number, counted from 0, belongs to this part.
    pub fn has(self, number: u64) -> bool {
        number % self.of == self.nth - 1
    }
}

/// Reads `2/8`.
impl std::str::FromStr for Share {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Share, UnknownName> {
        let wanted = || UnknownName::new("a part of the work such as 2/8", text);
        let (nth, of) = text.split_once('/').ok_or_else(wanted)?;
        let number = |part: &str| part.parse::<u64>().map_err(|_| wanted());
        let (nth, of) = (number(nth)?, number(of)?);
        match (1..=of).contains(&nth) {
            true => Ok(Share { nth, of }),
            false => Err(wanted()),
        }
    }
}
