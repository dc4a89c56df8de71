//! One file per technique. Each finds its patterns in the order of the scale
//! and hands them to a sink until that has enough; the answer `true` says that
//! it had.

pub(crate) mod aligned;
pub(crate) mod bug;
pub(crate) mod fish;
pub(crate) mod hidden_set;
pub(crate) mod locked;
pub(crate) mod naked_set;
pub(crate) mod single;
pub(crate) mod unique_loop;
pub(crate) mod wing;

use crate::tables::count;

/// Visits the sets of `size` out of nine whose union has exactly `size`
/// members, each of two or more; in ascending order when read as binary
/// numbers. The visitor gets the set and the union, and ends it with `true`.
pub(crate) fn tuples(
    sets: &[u16; 9],
    size: usize,
    visit: &mut impl FnMut(u16, u16) -> bool,
) -> bool {
    let mut usable = [(0, 0); 9];
    let mut length = 0;
    for (nth, set) in sets.iter().enumerate() {
        usable[length] = (1 << nth, *set);
        length += usize::from((2..=size).contains(&count(*set)));
    }
    length >= size && choose(&usable[..length], size, size, 0, 0, visit)
}

/// Chooses `left` more, the highest first; each comes with its bit.
fn choose(
    sets: &[(u16, u16)],
    size: usize,
    left: usize,
    chosen: u16,
    union: u16,
    visit: &mut impl FnMut(u16, u16) -> bool,
) -> bool {
    if left == 0 {
        return count(union) == size && visit(chosen, union);
    }
    (left - 1..sets.len()).any(|nth| {
        let (bit, set) = sets[nth];
        let more = union | set;
        count(more) <= size && choose(&sets[..nth], size, left - 1, chosen | bit, more, visit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_are_those_of_plain_enumeration_in_its_order() {
        let mut rng = planoku_sudoku::rng::Rng::stream(1, 0);
        for _ in 0..200 {
            let sets: [u16; 9] =
                std::array::from_fn(|_| (rng.next_u64() & rng.next_u64() & 511) as u16);
            for size in 2..=4 {
                let plain: Vec<(u16, u16)> = (0_u16..512)
                    .filter(|chosen| count(*chosen) == size)
                    .filter_map(|chosen| {
                        let members = || crate::tables::members(chosen);
                        let union = members().fold(0, |union, nth| union | sets[nth]);
                        let large = members().all(|nth| count(sets[nth]) > 1);
                        (large && count(union) == size).then_some((chosen, union))
                    })
                    .collect();
                let mut found = Vec::new();
                tuples(&sets, size, &mut |chosen, union| {
                    found.push((chosen, union));
                    false
                });
                assert_eq!(found, plain);
            }
        }
    }
}
