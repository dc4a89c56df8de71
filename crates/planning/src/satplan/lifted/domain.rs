//! Sets of objects that an argument may stand for: ascending and shared, for
//! most arguments of a tree have one of a few.

use std::rc::Rc;

use planoku_engine::Stop;

/// What an argument may stand for, ascending.
pub(super) type Domain = Rc<[u32]>;

/// What both may stand for.
pub(super) fn both(a: &Domain, b: &Domain) -> Domain {
    if Rc::ptr_eq(a, b) {
        return a.clone();
    }
    let common: Vec<u32> = a.iter().copied().filter(|it| has(b, *it)).collect();
    match common.len() {
        all if all == a.len() => a.clone(),
        all if all == b.len() => b.clone(),
        _ => common.into(),
    }
}

/// What one of these may stand for.
pub(super) fn either<'d>(mut domains: impl Iterator<Item = &'d Domain>) -> Option<Domain> {
    let mut all = domains.next()?.clone();
    for domain in domains {
        if Rc::ptr_eq(&all, domain) || domain.iter().all(|it| has(&all, *it)) {
            continue;
        }
        let mut more: Vec<u32> = all.iter().chain(domain.iter()).copied().collect();
        more.sort_unstable();
        more.dedup();
        all = more.into();
    }
    Some(all)
}

/// True if the object is one of these.
pub(super) fn has(domain: &[u32], object: u32) -> bool {
    match domain {
        [only] => *only == object,
        _ => domain.binary_search(&object).is_ok(),
    }
}

/// Visits every tuple of a product.
pub(super) fn product(
    domains: &[Domain],
    mut visit: impl FnMut(&[u32]) -> Result<(), Stop>,
) -> Result<(), Stop> {
    if domains.iter().any(|it| it.is_empty()) {
        return Ok(());
    }
    let mut at = vec![0; domains.len()];
    let mut objects: Vec<u32> = domains.iter().map(|it| it[0]).collect();
    loop {
        visit(&objects)?;
        let mut place = domains.len();
        loop {
            if place == 0 {
                return Ok(());
            }
            place -= 1;
            at[place] += 1;
            if at[place] < domains[place].len() {
                objects[place] = domains[place][at[place]];
                break;
            }
            at[place] = 0;
            objects[place] = domains[place][0];
        }
    }
}
