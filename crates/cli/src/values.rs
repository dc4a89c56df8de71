//! Argument values that are more than a word: durations, sizes in bytes, names
//! that shells can offer.

use std::time::Duration;

use clap::builder::{PossibleValue, TypedValueParser};
use planoku_engine::name::{NameError, NameProblem};

use crate::exit::Failure;

/// Reads a value by `read`, and tells shells which names there are. Other
/// values, such as engines whose names are spelt from parts, are left to `read`.
#[derive(Clone)]
pub struct Offered<T: 'static> {
    names: fn() -> Vec<String>,
    read: fn(&str) -> Result<T, String>,
}

/// A value read by `read`, of which shells may offer `names`.
pub fn offered<T>(names: fn() -> Vec<String>, read: fn(&str) -> Result<T, String>) -> Offered<T> {
    Offered { names, read }
}

/// Any name, checked later.
pub fn any(name: &str) -> Result<String, String> {
    Ok(name.to_string())
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Offered<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<T, clap::Error> {
        let read = self.read;
        let parser = move |text: &str| read(text);
        TypedValueParser::parse_ref(&parser, command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        // The names live as long as the program: completions are printed once.
        let names = (self.names)().into_iter();
        let names = names.map(|name| PossibleValue::new(&*Box::leak(name.into_boxed_str())));
        Some(Box::new(names))
    }
}

/// The names of all engines.
pub fn engines() -> Vec<String> {
    planoku_workbench::registry::names()
        .map(String::from)
        .collect()
}

/// Why a name is no engine's; where no name begins like it, also where to look.
pub fn no_engine(error: &NameError, hint: &str) -> Failure {
    Failure::bad_input(match error.reason {
        NameProblem::Unknown if error.meant.is_none() => format!("{error}; {hint}"),
        _ => error.to_string(),
    })
}

/// The names of all planners.
pub fn planners() -> Vec<String> {
    use planoku_planning::planners::{LIFTED, list};
    let listed = list();
    let own = ["portfolio", "auto"]
        .into_iter()
        .chain(LIFTED.iter().copied());
    own.chain(listed.iter().map(|it| it.name))
        .map(String::from)
        .collect()
}

/// `10s`, `500ms`, `2m`, `1h30m`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wanted = || format!("expected a duration such as 10s, 500ms or 2m, found `{text}`");
    let mut rest = text.trim();
    let mut total = 0.0;
    if rest.is_empty() {
        return Err(wanted());
    }
    while !rest.is_empty() {
        let (number, after) = split_number(rest).ok_or_else(wanted)?;
        let unit_end = after
            .find(|c: char| !c.is_ascii_alphabetic() && c != 'µ')
            .unwrap_or(after.len());
        let seconds = match &after[..unit_end] {
            "us" | "µs" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "" if total == 0.0 => 1.0,
            _ => return Err(wanted()),
        };
        total += number * seconds;
        rest = after[unit_end..].trim_start();
    }
    Duration::try_from_secs_f64(total).map_err(|_| wanted())
}

/// `512M`, `2G`, `100k` (powers of 1024); a bare number is bytes.
pub fn bytes(text: &str) -> Result<u64, String> {
    let wanted = || format!("expected a size such as 512M or 2G, found `{text}`");
    let (number, unit) = split_number(text.trim()).ok_or_else(wanted)?;
    let unit = unit.trim().to_ascii_lowercase();
    let factor: u64 = match unit.trim_end_matches("ib").trim_end_matches('b') {
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        "t" => 1 << 40,
        _ => return Err(wanted()),
    };
    Ok((number * factor as f64) as u64)
}

fn split_number(text: &str) -> Option<(f64, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    number.is_finite().then_some((number, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_people_write_them() {
        for (text, millis) in [
            ("10s", 10_000),
            ("500ms", 500),
            ("2m", 120_000),
            ("1h30m", 5_400_000),
            ("0.5", 500),
            ("1m 30s", 90_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in [
            "",
            "s",
            "10x",
            "-1s",
            "1e9999s",
            "..",
            "99999999999999999999999h",
        ] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_powers_of_1024() {
        assert_eq!(bytes("512M"), Ok(512 << 20));
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        assert_eq!(bytes("100"), Ok(100));
        assert!(bytes("many").is_err());
    }
}
