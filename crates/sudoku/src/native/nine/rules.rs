//! What can be said about the places of one digit, or about all digits of a
//! cell, in a few operations on whole registers; see `state` for their order.

use crate::native::lanes::{Lanes, Quads};

/// The same nine bits in each row of a band.
pub(super) const fn rows(bits: u32) -> u32 {
    bits | bits << 10 | bits << 20
}

/// All 27 cells of a band.
pub(super) const BAND: u32 = rows(0o777);
/// The bit above each row.
const GUARD: u32 = rows(1 << 9);

/// Strikes every minirow that lies on no perfect matching of rows and boxes.
///
/// Box `b` is open to a row if the two rows after it can share the two other
/// boxes. Only the first bit of each minirow counts until the end, where it is
/// spread over all three.
#[inline(always)]
pub(super) fn match_minirows<L: Quads>(places: L) -> L {
    let heads = places.splat(rows(0o111));
    let any = (places | places.shr::<1>() | places.shr::<2>()) & heads;
    // Box b of each row from box b + 1, and from box b + 2. What falls beside
    // the first bits is rubbish.
    let turned = any.shr::<3>() | any.shl::<6>();
    let again = any.shr::<6>() | any.shl::<3>();
    let kept = next_row((turned & next_row(again)) | (again & next_row(turned))) & heads;
    places & (kept.shl::<3>() - kept)
}

/// Each row of a band from the row after it. Bits above the band are rubbish.
#[inline(always)]
pub(super) fn next_row<L: Quads>(rows: L) -> L {
    rows.shr::<10>() | rows.shl::<20>()
}

/// The columns a digit can use in a band: nine bits, and rubbish above.
#[inline(always)]
pub(super) fn columns_used<L: Quads>(places: L) -> L {
    places | places.shr::<10>() | places.shr::<20>()
}

/// The boxes a digit can use in a band: the first bit of each, and rubbish.
#[inline(always)]
pub(super) fn boxes_used<L: Quads>(places: L) -> L {
    let columns = columns_used(places);
    columns | columns.shr::<1>() | columns.shr::<2>()
}

/// Column `c` of each box from column `c + 1`.
#[inline(always)]
pub(super) fn turn_once<L: Quads>(columns: L) -> L {
    (columns.shr::<1>() & columns.splat(0o333)) | (columns.shl::<2>() & columns.splat(0o444))
}

/// Column `c` of each box from column `c + 2`.
#[inline(always)]
pub(super) fn turn_twice<L: Quads>(columns: L) -> L {
    (columns.shr::<2>() & columns.splat(0o111)) | (columns.shl::<1>() & columns.splat(0o666))
}

/// The same nine columns in all three rows.
#[inline(always)]
pub(super) fn all_rows<L: Quads>(columns: L) -> L {
    columns | columns.shl::<10>() | columns.shl::<20>()
}

/// In `ninth`, each band's value from the band after it.
#[inline(always)]
pub(super) fn next_band<L: Quads>(ninth: L) -> L {
    ninth.turned()
}

/// The guard of each row that holds at least one.
#[inline(always)]
pub(super) fn rows_used<L: Quads>(places: L) -> L {
    (places + places.splat(BAND)) & places.splat(GUARD)
}

/// The places that are alone in their row. (A row with none is a conflict
/// that the matching has already turned into an empty lane.)
#[inline(always)]
pub(super) fn single_in_row<L: Quads>(places: L) -> L {
    let but_first = places & (places - places.splat(rows(1)));
    let used = rows_used(but_first);
    places.without(used - used.shr::<9>())
}

/// What a row loses where `cells` holds one of the digit's places: all others.
/// If it holds two in a row, the second is lost too, and a cell left with no
/// digit; the next round sees it.
#[inline(always)]
pub(super) fn claimed_rows<L: Quads>(places: L, cells: L) -> L {
    let claimed = places & cells;
    let used = rows_used(claimed);
    let first = used.shr::<9>();
    let kept = claimed.without(claimed - first);
    (used - first) ^ kept
}

/// From 27 bits in a row to rows with guards; higher bits are dropped.
#[inline(always)]
pub(super) fn parted<L: Quads>(places: L) -> L {
    let (second, third) = (
        places & places.splat(0o777_000),
        places & places.splat(0o777_000_000),
    );
    (places & places.splat(0o777)) | second.shl::<1>() | third.shl::<2>()
}

/// From rows with guards to 27 bits in a row; undoes [`parted`].
#[inline(always)]
pub(super) fn closed<L: Quads>(places: L) -> L {
    let (second, third) = (places.shr::<1>(), places.shr::<2>());
    let second = second & places.splat(0o777_000);
    (places & places.splat(0o777)) | second | (third & places.splat(0o777_000_000))
}

/// Every band in all lanes of a register.
#[inline(always)]
pub(super) fn each_band<L: Lanes>(by_band: L::Half) -> [L; 3] {
    [
        L::all::<0>(by_band),
        L::all::<1>(by_band),
        L::all::<2>(by_band),
    ]
}

/// The union of the eight lanes of each band, by band.
#[inline(always)]
pub(super) fn union<L: Lanes>([first, second, third]: [L; 3]) -> L::Half {
    let pairs = first.low_pairs(second) | first.high_pairs(second);
    let last = third | third.pairs_swapped();
    let (half, other) = (pairs.evens(last) | pairs.odds(last)).halves();
    half | other
}

/// What at least one, and at least two, of the eight lanes of each band hold,
/// by band.
#[inline(always)]
pub(super) fn one_or_more<L: Lanes>([first, second, third]: [L; 3]) -> (L::Half, L::Half) {
    let (low, high) = (first.low_pairs(second), first.high_pairs(second));
    let (one, two) = (low | high, low & high);
    let other = third.pairs_swapped();
    let (last, last_two) = (third | other, third & other);
    let (even, odd) = (one.evens(last), one.odds(last));
    let two = two.evens(last_two) | two.odds(last_two) | (even & odd);
    let (one, other) = (even | odd).halves();
    let (two, others) = two.halves();
    (one | other, two | others | (one & other))
}

/// What at least two, three and four of the nine digits hold, by band.
#[inline(always)]
pub(super) fn several<L: Lanes>([first, second, third]: [L; 3], ninth: L::Half) -> [L::Half; 3] {
    let (low, high) = (first.low_pairs(second), first.high_pairs(second));
    let (one, two) = (low | high, low & high);
    let other = third.pairs_swapped();
    let (last, last_two) = (third | other, third & other);
    let (one, other) = (one.evens(last), one.odds(last));
    let (two, others) = (two.evens(last_two), two.odds(last_two));
    let ((one, a), (two, b), (three, c), (four, d)) = (
        (one | other).halves(),
        (two | others | (one & other)).halves(),
        ((one & others) | (two & other)).halves(),
        (two & others).halves(),
    );
    let [one, two, three, four] = [
        one | a,
        two | b | (one & a),
        three | c | (one & b) | (two & a),
        four | d | (one & c) | (two & b) | (three & a),
    ];
    [
        two | (one & ninth),
        three | (two & ninth),
        four | (three & ninth),
    ]
}
