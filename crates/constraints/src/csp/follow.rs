//! What [nogoods](super::nogoods) forbid is struck from the store.

use super::nogoods::{Literal, Nogoods, slot};
use super::store::{Fact, Finder, Reason, Refuted, Store};

/// Strikes what the nogoods forbid now that `variable` has only `value`.
pub(crate) fn follow(store: &mut Store<'_>, variable: usize, value: u32) -> Result<(), Refuted> {
    let Some(mut nogoods) = store.nogoods.take() else {
        return Ok(());
    };
    let result = nogoods.visit(store, (variable as u32, value));
    store.nogoods = Some(nogoods);
    result
}

impl Nogoods {
    fn visit(&mut self, store: &mut Store<'_>, news: Literal) -> Result<(), Refuted> {
        let mut watchers = std::mem::take(&mut self.watched[slot(news)]);
        let mut result = Ok(());
        watchers.retain(|&number| {
            if result.is_err() {
                return true;
            }
            let nogood = &mut self.nogoods[number as usize];
            if nogood[0] == news {
                nogood.swap(0, 1);
            }
            let other = nogood[0];
            if !possible(store, other) {
                return true;
            }
            if let Some(at) = (2..nogood.len()).find(|at| !holds(store, nogood[*at])) {
                nogood.swap(1, at);
                self.watched[slot(nogood[1])].push(number);
                return false;
            }
            result = forbid(store, nogood);
            true
        });
        self.watched[slot(news)].append(&mut watchers);
        result
    }
}

fn holds(store: &Store<'_>, (variable, value): Literal) -> bool {
    store.values[variable as usize] == 1 << value
}

fn possible(store: &Store<'_>, (variable, value): Literal) -> bool {
    store.values[variable as usize] >> value & 1 == 1
}

/// All choices but the first hold: the first must not.
fn forbid(store: &mut Store<'_>, nogood: &[Literal]) -> Result<(), Refuted> {
    let (variable, value) = nogood[0];
    let reason = if store.keeps_reasons {
        let holds = |&(variable, value): &Literal| -> Fact { (variable, !(1 << value)) };
        store.because(nogood[1..].iter().map(holds))
    } else {
        Reason::Root
    };
    store.strike(variable as usize, 1 << value, reason, Finder::Nogood)
}
