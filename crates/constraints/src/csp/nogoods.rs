//! Nogood learning: write down which choices cannot stand together.
//!
//! At a dead end, conflict-directed look-back knows the set of choices to
//! blame. That set is a *nogood*: no answer contains all of it. Kept, it acts
//! as a new constraint: when all but one of its choices hold, the last is
//! struck. (R. Dechter, "Enhancement schemes for constraint processing", 1990.)
//!
//! Two choices of each nogood that do not hold are watched; only when one of
//! them comes to hold is the nogood looked at (the watched literals of Moskewicz
//! et al., "Chaff", 2001). Watches need no repair when the search returns, as
//! choices only cease to hold. A new nogood watches its two deepest choices, the
//! first to be taken back.

/// A variable and a value it was given.
pub(super) type Literal = (u32, u32);

/// Longer nogoods strike too rarely to be worth keeping.
const LONGEST: usize = 12;

/// How many are kept; later ones are dropped, which costs work but no answers.
const MOST: usize = 50_000;

pub(crate) struct Nogoods {
    /// The choices of each nogood, the two watched ones first.
    pub(super) nogoods: Vec<Box<[Literal]>>,
    /// For each choice the nogoods that watch it.
    pub(super) watched: Vec<Vec<u32>>,
    /// Choices that are impossible on their own and not yet struck.
    single: Vec<Literal>,
}

impl Nogoods {
    pub(crate) fn new(variables: usize) -> Nogoods {
        Nogoods {
            nogoods: Vec::new(),
            watched: vec![Vec::new(); variables << 6],
            single: Vec::new(),
        }
    }

    /// Keeps a nogood, given by ascending level; false if it is not worth it.
    pub(crate) fn learn(&mut self, choices: impl Iterator<Item = Literal>) -> bool {
        let mut choices: Vec<Literal> = choices.take(LONGEST + 1).collect();
        if choices.len() > LONGEST || choices.is_empty() || self.nogoods.len() >= MOST {
            return false;
        }
        if let [choice] = choices[..] {
            self.single.push(choice);
            return true;
        }
        choices.reverse();
        let number = self.nogoods.len() as u32;
        self.watched[slot(choices[0])].push(number);
        self.watched[slot(choices[1])].push(number);
        self.nogoods.push(choices.into());
        true
    }

    /// The choices found impossible since the last call.
    pub(crate) fn take_single(&mut self) -> Vec<Literal> {
        std::mem::take(&mut self.single)
    }
}

pub(super) fn slot((variable, value): Literal) -> usize {
    (variable as usize) << 6 | value as usize
}
