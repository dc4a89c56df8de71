//! What a misspelt word may have meant: the nearest of the words there are.

/// What a misspelt word may have meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near<'a> {
    /// The nearest candidate in edit distance, the first of several.
    pub word: &'a str,
    /// Others that are as near, a few of them.
    pub others: Vec<&'a str>,
    /// True if hardly anything else can have been meant: few letters differ, no
    /// digit does, and the next candidate is clearly further away.
    pub sure: bool,
}

impl<'a> Near<'a> {
    /// What is known to be meant by the word.
    pub fn known(word: &'a str) -> Near<'a> {
        Near {
            word,
            others: Vec::new(),
            sure: true,
        }
    }

    /// "did you mean `a`?", with all that are as near.
    pub fn question(&self) -> String {
        let others = self.others.iter().map(|word| format!(" or `{word}`"));
        format!(
            "did you mean `{}`{}?",
            self.word,
            others.collect::<String>()
        )
    }
}

/// Candidates named beside the first when they are as near.
const OTHERS: usize = 3;

/// The candidate that a misspelt word most probably meant; see [`nearest`].
///
/// ```
/// use planoku_language::source::closest;
/// assert_eq!(closest(":precondtion", [":precondition", ":effect"]), Some(":precondition"));
/// assert_eq!(closest("move", ["load", "drive"]), None);
/// assert_eq!(closest("p", ["q"]), None);
/// ```
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest(word, candidates).map(|near| near.word)
}

/// The nearest candidate in edit distance, if it is near enough to be worth a
/// suggestion, and whether it is worth more than that.
///
/// ```
/// use planoku_language::source::nearest;
/// assert!(nearest(":precondtion", [":precondition", ":effect"]).unwrap().sure);
/// // One of two, and another number, are guesses.
/// assert!(!nearest("trick", ["truck", "track"]).unwrap().sure);
/// assert!(!nearest("truck3", ["truck1"]).unwrap().sure);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<Near<'a>> {
    let length = word.chars().count();
    if length > 60 {
        return None;
    }
    let limit = match length {
        0..=2 => 1,
        3..=5 => 2,
        _ => length / 3,
    };
    let mut best: Option<(usize, Near<'a>)> = None;
    // The distance of the nearest candidate that is further away.
    let mut next = usize::MAX;
    for candidate in candidates {
        if candidate.len().abs_diff(word.len()) > 2 * (limit + CLEAR) || candidate.len() > 120 {
            continue;
        }
        let distance = edits(word, candidate);
        match &mut best {
            Some((least, near)) if distance == *least => {
                if near.word != candidate && near.others.len() < OTHERS {
                    near.others.push(candidate);
                }
            }
            Some((least, _)) if distance > *least => next = next.min(distance),
            // Of two letters, one may be wrong; but not all there are.
            _ if distance <= limit && distance < length.max(candidate.chars().count()) => {
                if let Some((least, _)) = best {
                    next = next.min(least);
                }
                best = Some((distance, Near::known(candidate)));
            }
            _ => next = next.min(distance),
        }
    }
    let (distance, mut near) = best?;
    let few = match length {
        0..=3 => 0,
        4..=6 => 1,
        7..=8 => 2,
        _ => 3,
    };
    near.sure = near.others.is_empty()
        && distance <= few
        && next >= distance + CLEAR
        && digits(word) == digits(near.word);
    Some(near)
}

/// How much further away the next candidate must be for a word to be sure.
const CLEAR: usize = 2;

/// The digits of a name: another number is another thing.
fn digits(word: &str) -> String {
    word.chars().filter(char::is_ascii_digit).collect()
}

/// Damerau's distance (insert, delete, replace, swap neighbours), in any case.
fn edits(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
